/// What sends HTTP requests. An app may bring its own client by conforming to it.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the whole response, of whatever status.
    ///
    /// Redirects are followed to `https` only, or from loopback to loopback. Cancelling the task ends the exchange. A transport
    /// keeps to the request's timeout; whoever sends through one that does not gives the exchange up five seconds later, and
    /// leaves it to itself.
    /// - Throws: an error only if there is no complete response: the endpoint cannot be reached, the exchange took longer
    ///   than the request's timeout, was cut short, or the body is longer than allowed. A ``TransportError`` carries the
    ///   status if that had arrived: tracking events whose status was a 2xx are not sent again.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
