#if os(Linux)
import CConvertCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// libcurl's handle for one transfer, configured for its request. The comment above ``MultiHandle`` says why the unsafe
/// calls are safe.
@safe
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    let transfer: Transfer
    private let library: CurlLibrary
    private var headers: UnsafeMutableRawPointer?

    /// Creates a handle; `nil` if there is no memory for it, or if libcurl rejects an option.
    init?(_ transfer: Transfer, of library: CurlLibrary) {
        guard let pointer = library.functions.easy_init() else { return nil }
        self.library = library
        unsafe self.pointer = unsafe pointer
        self.transfer = transfer
        guard setLimits(), setRequest(), setHeaders(), setCallbacks() else { return nil }
    }

    deinit {
        unsafe library.functions.easy_cleanup(pointer)
        unsafe library.functions.slist_free_all(headers)
    }

    private func setLimits() -> Bool {
        // `ExchangeOutcome` enforces the deadline. libcurl receives it to divide the time among a host's addresses.
        let left = max(1, ((transfer.deadline - .now) / .milliseconds(1)).rounded(.up))
        return unsafe set(CONVERT_CURLOPT_TIMEOUT_MS, Int(left)) && set(CONVERT_CURLOPT_NOSIGNAL, 1)
            && call(convert_curl_allow_http) && call(convert_curl_leave_resolver)
            && set(CONVERT_CURLOPT_FOLLOWLOCATION, 0) && set(CONVERT_CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            && set(CONVERT_CURLOPT_SSLVERSION, CONVERT_CURL_SSLVERSION_TLSv1_2)
    }

    private func setRequest() -> Bool {
        let request = transfer.request
        let method = request.method.uppercased()
        guard set(CONVERT_CURLOPT_URL, request.url.absoluteString), set(CONVERT_CURLOPT_ACCEPT_ENCODING, ""),
            set(CONVERT_CURLOPT_USERAGENT, library.agent)
        else { return false }
        // Requests to this machine bypass a proxy from the environment.
        if request.url.isLoopback { guard set(CONVERT_CURLOPT_PROXY, "") else { return false } }
        if method == "HEAD" {
            guard set(CONVERT_CURLOPT_NOBODY, 1) else { return false }
        } else if request.body != nil || ["POST", "PUT", "PATCH"].contains(method) {
            guard setBody(request.body ?? Data()) else { return false }
        }
        return set(CONVERT_CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setBody(_ body: Data) -> Bool {
        let isSized = unsafe call {
            unsafe convert_curl_set_size($0, $1, CONVERT_CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
        }
        guard isSized else { return false }
        // The pointer of an empty body may be null, which libcurl takes as a request to read the body from elsewhere.
        if body.isEmpty { return set(CONVERT_CURLOPT_COPYPOSTFIELDS, "") }
        return unsafe body.withUnsafeBytes { unsafe set(CONVERT_CURLOPT_COPYPOSTFIELDS, to: $0.baseAddress) }
    }

    private func setHeaders() -> Bool {
        let fields = transfer.request.fields
        // A line without a value makes libcurl omit one of its own fields. A field with an empty value is written with
        // a semicolon.
        var lines = fields.map { name, value in
            value.allSatisfy { " \t".contains($0) } ? "\(name);" : "\(name): \(value)"
        }
        lines.append("Expect:")
        if !fields.contains(where: { $0.name.lowercased() == "content-type" }) { lines.append("Content-Type:") }
        for line in lines {
            guard let longer = unsafe library.functions.slist_append(headers, line) else { return false }
            unsafe headers = unsafe longer
        }
        return unsafe set(CONVERT_CURLOPT_HTTPHEADER, to: headers)
    }

    private func setCallbacks() -> Bool {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        return unsafe set(CONVERT_CURLOPT_HEADERDATA, to: context) && set(CONVERT_CURLOPT_WRITEDATA, to: context)
            && set(CONVERT_CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                unsafe EasyHandle.receive(bytes, size * count, context) { $0.receive(line: $1) }
            }
            && set(CONVERT_CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                unsafe EasyHandle.receive(bytes, size * count, context) { $0.receive(part: $1) }
            }
    }

    /// Passes received data to the transfer. Any result other than `count` ends the transfer.
    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        by take: (Transfer, Data) -> Bool
    ) -> Int {
        guard count > 0, let bytes = unsafe bytes, let context = unsafe context else { return 0 }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return unsafe take(transfer, Data(bytes: bytes, count: count)) ? count : 0
    }

    private func set(_ option: Int32, _ value: Int) -> Bool {
        unsafe call { unsafe convert_curl_set_long($0, $1, option, value) }
    }

    private func set(_ option: Int32, _ value: String) -> Bool {
        unsafe value.withCString { unsafe set(option, to: $0) }
    }

    private func set(_ option: Int32, to address: UnsafeRawPointer?) -> Bool {
        unsafe call { unsafe convert_curl_set_pointer($0, $1, option, address) }
    }

    private func set(_ option: Int32, receiver: ConvertCurlReceiver) -> Bool {
        unsafe call { unsafe convert_curl_set_receiver($0, $1, option, receiver) }
    }

    private func call(_ body: (UnsafePointer<ConvertCurlFunctions>, UnsafeMutableRawPointer) -> Int32) -> Bool {
        unsafe withUnsafePointer(to: library.functions) { unsafe body($0, pointer) } == CONVERT_CURLE_OK
    }
}
#endif
