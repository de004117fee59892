internal import ConvertECMAScript
internal import ConvertTransport
internal import Foundation

/// The request of a `pb` or `pii` consequence.
struct SignalRequest {
    /// The timeout in seconds, unless the consequence has its own.
    static let defaultTimeout = 2.0
    /// The maximum timeout of a consequence, in seconds.
    static let longestTimeout = 120.0
    private static let defaultContentType = "application/x-www-form-urlencoded"
    /// The response's body is ignored.
    private static let longestAnswer = 1 << 20

    let request: HTTPRequest

    /// Reads the consequence's detail. Throws the reason if no request can be sent.
    init(_ triggered: TriggeredConsequence, to destinations: SignalSender.Destinations) throws(SignalFault) {
        let consequence = triggered.consequence
        let detail = consequence.detail
        guard case .string(let template)? = detail["templateurl"], !template.isEmpty else {
            throw SignalFault("'templateurl' must be a text.")
        }
        let address = try triggered.address.map { text throws(SignalFault) in try SignalAddress(text) }
        guard let url = URL(string: address?.text ?? template), let scheme = url.scheme?.lowercased(),
            url.host()?.isEmpty == false
        else { throw SignalFault("'templateurl' is not a URL with a host.") }
        if address?.isOriginFromToken == true, !destinations.admit(url) {
            throw SignalFault(
                "a token gives the host of 'templateurl', and 'hostsFromTokens' does not list it; "
                    + "write the host into the rule, or list it.")
        }
        guard scheme == "https" || scheme == "http" else { throw SignalFault("'templateurl' must begin with https.") }
        // Personal data must not be readable on the way.
        if scheme == "http", consequence.type == "pii" { throw SignalFault("'templateurl' of a 'pii' must be https.") }
        guard scheme == "https" || destinations.allowsPlainHTTP || url.isLoopback else {
            throw SignalFault("'templateurl' is a plain http URL; use https, or set 'allowsPlainHTTP'.")
        }
        var request = HTTPRequest(
            url: url, timeout: Self.timeout(detail["timeout"]), maximumResponseLength: Self.longestAnswer)
        if case .string(let body)? = detail["templatebody"], !body.isEmpty {
            request.method = "POST"
            request.body = Data(body.utf8)
            let type = detail["contenttype"]?.stringValue ?? ""
            request.headers["Content-Type"] = type.isEmpty ? Self.defaultContentType : type
        }
        self.request = request
    }

    private static func timeout(_ value: JSValue?) -> Double {
        guard let seconds = value?.numberValue, seconds > 0 else { return defaultTimeout }
        return min(seconds, longestTimeout)
    }
}

/// Why a consequence sends no request.
struct SignalFault: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
