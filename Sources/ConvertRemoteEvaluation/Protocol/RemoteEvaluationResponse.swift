import ConvertECMAScript

/// The HTTP response to a ``RemoteEvaluationRequest``.
///
/// A value type; safe to share between threads.
public struct RemoteEvaluationResponse: Sendable {
    /// A response's body.
    public enum Body: Sendable {
        /// The bytes to send; empty for a status without a body.
        case bytes([UInt8])
        /// A stream of server-sent events that lasts until the client or the SDK ends it. The server should write each
        /// chunk immediately, and send no length.
        case changes(ConfigChangeStream)
    }

    /// The status, such as 200.
    public var status: Int

    /// The header fields. Names are in lower case.
    public var headers: [(name: String, value: String)]

    /// The body.
    public var body: Body

    /// The bytes of the body; empty for a stream.
    public var bodyBytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    private static let json = [(name: "content-type", value: "application/json")]

    init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8]) {
        self.status = status
        self.headers = headers.isEmpty ? Self.json : Self.json + headers
        self.body = .bytes(body)
    }

    /// Creates a response without a body.
    init(withoutBody status: Int, headers: [(name: String, value: String)]) {
        self.status = status
        self.headers = headers
        body = .bytes([])
    }

    /// Creates the response with an event stream.
    init(_ changes: ConfigChangeStream) {
        status = 200
        headers = [
            ("content-type", "text/event-stream"), ("cache-control", "no-store"), ("x-accel-buffering", "no"),
        ]
        body = .changes(changes)
    }
}

/// Responses for a server that rejects a request before it reaches ``RemoteEvaluation``.
extension RemoteEvaluationResponse {
    /// The protocol's response to a client that sends too many requests.
    ///
    /// - Parameter retryAfter: the seconds until the client may send again; at least 1.
    public static func tooManyRequests(retryAfter: Int) -> RemoteEvaluationResponse {
        failure(
            429, "too many requests; ask again after the seconds in Retry-After.",
            headers: [("retry-after", "\(max(1, retryAfter))")])
    }

    /// The protocol's response to a request that the server could not process.
    ///
    /// - Parameter details: a message for developers. Clients log it, so it must not contain secrets.
    public static func serverError(_ details: String) -> RemoteEvaluationResponse { failure(500, details) }

    /// The response to a body that is longer than the server accepts.
    ///
    /// - Parameter limit: the maximum number of bytes in a body.
    public static func bodyTooLong(limit: Int) -> RemoteEvaluationResponse {
        failure(413, "the body is longer than \(limit) bytes; send fewer context members.")
    }

    /// The response to a request that may succeed in a moment.
    static func unavailable(_ details: String) -> RemoteEvaluationResponse {
        failure(503, details, headers: retryAfterOneSecond)
    }

    /// The header fields of a response that asks the client to send the request again.
    static let retryAfterOneSecond = [(name: "retry-after", value: "1")]

    /// A response with the protocol's `generalErrorResponse`.
    static func failure(
        _ status: Int, _ details: String, headers: [(name: String, value: String)] = []
    ) -> RemoteEvaluationResponse {
        var json = JSONBytes(capacity: details.utf8.count + 24)
        json.append("{\"errorDetails\":")
        json.append(quoting: details)
        json.append("}")
        return RemoteEvaluationResponse(status, headers: headers, body: json.bytes)
    }
}
