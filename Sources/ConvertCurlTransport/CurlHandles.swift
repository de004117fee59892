import CConvertCurl
import ConvertTransport
import Foundation

// All that hands memory to libcurl is in this file. What makes it safe:
// - Both kinds of handle are made, used and closed on one thread, the loop's; they are not Sendable. libcurl calls back on
//   that thread only, from within these calls.
// - An easy handle knows its transfer by an unretained pointer. `EasyHandle` retains the transfer, and closes the handle
//   before it lets go. It is let go only after it was removed from the multi handle.
// - libcurl copies strings and the body that it is given; a header list lives as long as its handle.
// - `Waker` is what other threads have. The loop uses it under its lock, and drops it there before the multi handle goes.

/// The transfers of one thread, and the connections that they share.
final class MultiHandle {
    /// Interrupts `wait()` from any thread, as long as the handle is there.
    struct Waker: @unchecked Sendable {
        fileprivate let multi: UnsafeMutableRawPointer

        func wake() { curl_multi_wakeup(multi) }
    }

    /// Thread-safe as every initialization of a static member is; libcurl's own is not in all versions.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

    /// How long to wait if nothing happens, in milliseconds; only a bound.
    private static let longestWait: Int32 = 60_000

    private let multi: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: EasyHandle] = [:]
    private var pointers: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]
    private var queues: HostQueues

    /// A handle; `nil` if the system is out of memory or file descriptors.
    init?(connectionsPerHost: Int) {
        guard Self.isReady, let multi = curl_multi_init() else { return nil }
        self.multi = multi
        queues = HostQueues(limit: connectionsPerHost)
        // A handle that cannot be woken would be deaf.
        guard curl_multi_wakeup(multi) == CURLM_OK else { return nil }
    }

    deinit { curl_multi_cleanup(multi) }

    var waker: Waker { Waker(multi: multi) }

    /// Whether there is no transfer; none waits then either.
    var isIdle: Bool { transfers.isEmpty }

    /// Starts `transfer`, now or when its host has room.
    func add(_ transfer: Transfer) { if queues.add(transfer) { start(transfer) } }

    /// Ends `transfer` without a word, if it is there.
    func remove(_ transfer: Transfer) {
        if let pointer = pointers[ObjectIdentifier(transfer)] {
            _ = remove(pointer)
        } else {
            queues.remove(transfer)
        }
    }

    /// Does what can be done without waiting.
    func perform() {
        var running: Int32 = 0
        let status = curl_multi_perform(multi, &running)
        if status != CURLM_OK { endAll(underlying: Int(status.rawValue)) }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            // The message is gone once its handle is removed.
            let (kind, pointer, result) = (
                message.pointee.msg, message.pointee.easy_handle, message.pointee.data.result
            )
            guard kind == CURLMSG_DONE, let pointer else { continue }
            remove(pointer)?.complete(CurlFailure(result))
        }
    }

    /// Waits until there is something to do, or somebody wakes it.
    func wait() {
        let status = curl_multi_poll(multi, nil, 0, Self.longestWait, nil)
        guard status != CURLM_OK else { return }
        endAll(underlying: Int(status.rawValue))
        // Should it fail again at once, the thread must not run hot.
        Thread.sleep(forTimeInterval: 0.01)
    }

    /// Starts `transfer`, or the next one of its host if that is over or cannot be started.
    private func start(_ transfer: Transfer) {
        var next: Transfer? = transfer
        while let transfer = next, !isStarted(transfer) { next = queues.end(transfer) }
    }

    private func isStarted(_ transfer: Transfer) -> Bool {
        guard !transfer.outcome.isSettled else { return false }
        guard let easy = EasyHandle(transfer), curl_multi_add_handle(multi, easy.pointer) == CURLM_OK else {
            transfer.fail(.other)
            return false
        }
        transfers[easy.pointer] = easy
        pointers[ObjectIdentifier(transfer)] = easy.pointer
        return true
    }

    private func remove(_ pointer: UnsafeMutableRawPointer) -> Transfer? {
        guard let easy = transfers[pointer] else { return nil }
        curl_multi_remove_handle(multi, pointer)
        transfers[pointer] = nil
        pointers[ObjectIdentifier(easy.transfer)] = nil
        if let next = queues.end(easy.transfer) { start(next) }
        return easy.transfer
    }

    private func endAll(underlying: Int) {
        for pointer in transfers.keys { remove(pointer)?.fail(.other, underlying: underlying) }
    }
}

/// One transfer's handle, set up for its request.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    let transfer: Transfer
    private var headers: UnsafeMutablePointer<curl_slist>?

    /// A handle; `nil` if there is no memory for it or libcurl refuses an option.
    init?(_ transfer: Transfer) {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        self.transfer = transfer
        guard setLimits(), setRequest(), setHeaders(), setCallbacks() else { return nil }
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headers)
    }

    private func setLimits() -> Bool {
        // The outcome has the deadline. libcurl knows it so that it gives each of a host's addresses its share.
        let left = max(1, ((transfer.deadline - .now) / .milliseconds(1)).rounded(.up))
        return set(CURLOPT_TIMEOUT_MS, Int(left)) && set(CURLOPT_NOSIGNAL, 1)
            && convert_curl_allow_http(pointer) == CURLE_OK && convert_curl_leave_resolver(pointer) == CURLE_OK
            && set(CURLOPT_FOLLOWLOCATION, 0) && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            && set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    }

    private func setRequest() -> Bool {
        let request = transfer.request
        let method = request.method.uppercased()
        // libcurl's name and version, without the libraries that it uses.
        let agent = String(cString: curl_version()).prefix { $0 != " " }
        guard set(CURLOPT_URL, request.url.absoluteString), set(CURLOPT_ACCEPT_ENCODING, ""),
            set(CURLOPT_USERAGENT, String(agent))
        else { return false }
        if method == "HEAD" {
            guard set(CURLOPT_NOBODY, 1) else { return false }
        } else if request.body != nil || ["POST", "PUT", "PATCH"].contains(method) {
            guard setBody(request.body ?? Data()) else { return false }
        }
        return set(CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setBody(_ body: Data) -> Bool {
        guard convert_curl_set_size(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK else {
            return false
        }
        // An empty body may have no address, which would mean that it is to be read from elsewhere.
        if body.isEmpty { return set(CURLOPT_COPYPOSTFIELDS, "") }
        return body.withUnsafeBytes {
            convert_curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) == CURLE_OK
        }
    }

    private func setHeaders() -> Bool {
        let fields = transfer.request.fields
        // Without a value libcurl leaves out a field of its own; an empty field of ours is written with a semicolon.
        var lines = fields.map { name, value in
            value.allSatisfy { " \t".contains($0) } ? "\(name);" : "\(name): \(value)"
        }
        lines.append("Expect:")
        if !fields.contains(where: { $0.name.lowercased() == "content-type" }) { lines.append("Content-Type:") }
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else { return false }
            headers = longer
        }
        return convert_curl_set_list(pointer, CURLOPT_HTTPHEADER, headers) == CURLE_OK
    }

    private func setCallbacks() -> Bool {
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        return convert_curl_set_pointer(pointer, CURLOPT_HEADERDATA, context) == CURLE_OK
            && convert_curl_set_pointer(pointer, CURLOPT_WRITEDATA, context) == CURLE_OK
            && convert_curl_set_callback(pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                EasyHandle.receive(bytes, size * count, context) { $0.receive(line: $1) }
            } == CURLE_OK
            && convert_curl_set_callback(pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                EasyHandle.receive(bytes, size * count, context) { $0.receive(part: $1) }
            } == CURLE_OK
    }

    /// Hands what arrived to the transfer; a count other than `count` ends it.
    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        by take: (Transfer, Data) -> Bool
    ) -> Int {
        guard count > 0, let bytes, let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return take(transfer, Data(bytes: bytes, count: count)) ? count : 0
    }

    private func set(_ option: CURLoption, _ value: Int) -> Bool {
        convert_curl_set_long(pointer, option, value) == CURLE_OK
    }

    private func set(_ option: CURLoption, _ value: String) -> Bool {
        convert_curl_set_string(pointer, option, value) == CURLE_OK
    }
}
