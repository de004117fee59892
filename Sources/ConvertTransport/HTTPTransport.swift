/// Sends HTTP requests. An app can use its own HTTP client by conforming to this protocol.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the whole response, with any status.
    ///
    /// Can be called from any number of tasks at once. Follow redirects only to `https`, or from loopback to loopback.
    /// End the exchange if the task is cancelled, and respect the request's timeout: the caller stops waiting five
    /// seconds after the timeout.
    /// - Throws: an error only if there is no complete response: the endpoint cannot be reached, the exchange exceeded
    ///   the timeout or was interrupted, or the body is longer than allowed. If the status had arrived, include it in a
    ///   ``TransportError``: tracking events whose status was a 2xx are not sent again.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
