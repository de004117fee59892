import ConvertECMAScript

/// The HTTP response to a ``RemoteEvaluationRequest``.
///
/// A value type; safe to share between threads.
public struct RemoteEvaluationResponse: Sendable {
    /// A response's body.
    public enum Body: Sendable {
        /// Bytes that are sent as they are; none for a status without a body.
        case bytes([UInt8])
        /// A stream of server-sent events that lasts until the client or the SDK ends it. The server writes each chunk
        /// as soon as it comes, and sends no length.
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

    init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8]) {
        self.status = status
        self.headers = [("content-type", "application/json")] + headers
        self.body = .bytes(body)
    }

    /// A response without a body.
    init(withoutBody status: Int, headers: [(name: String, value: String)]) {
        self.status = status
        self.headers = headers
        body = .bytes([])
    }

    /// The response to an event stream's request.
    init(_ changes: ConfigChangeStream) {
        status = 200
        headers = [
            ("content-type", "text/event-stream"), ("cache-control", "no-store"), ("x-accel-buffering", "no"),
        ]
        body = .changes(changes)
    }
}

/// Responses of a server that refuses a request before it reaches ``RemoteEvaluation``.
extension RemoteEvaluationResponse {
    /// The protocol's answer to a client that asks too often.
    ///
    /// - Parameter retryAfter: when the client may ask again, in seconds; at least 1.
    public static func tooManyRequests(retryAfter: Int) -> RemoteEvaluationResponse {
        failure(
            429, "too many requests; ask again after the seconds in Retry-After.",
            headers: [("retry-after", "\(max(1, retryAfter))")])
    }

    /// The protocol's answer to a request that the server could not handle.
    ///
    /// - Parameter details: what people should know. Clients log it, so it must hold nothing secret.
    public static func serverError(_ details: String) -> RemoteEvaluationResponse { failure(500, details) }

    /// The answer to a body that is longer than a server reads.
    ///
    /// - Parameter limit: the most bytes that a body may have.
    public static func bodyTooLong(limit: Int) -> RemoteEvaluationResponse {
        failure(413, "the body is longer than \(limit) bytes; send fewer context members.")
    }

    /// An answer with the protocol's `generalErrorResponse`.
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
