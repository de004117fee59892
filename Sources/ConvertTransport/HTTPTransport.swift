/// Sends HTTP requests. An app can use its own HTTP client by conforming to this protocol.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the whole response, with any status.
    ///
    /// Redirects are followed only to `https`, or from loopback to loopback. Cancelling the task must end the exchange.
    /// The method must respect the request's timeout. If it does not, the caller gives up five seconds after the
    /// timeout and no longer waits for the exchange.
    /// - Throws: an error only if there is no complete response: the endpoint cannot be reached, the exchange exceeded
    ///   the timeout or was interrupted, or the body is longer than allowed. A ``TransportError`` has the status if it
    ///   had arrived: tracking events whose status was a 2xx are not sent again.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
