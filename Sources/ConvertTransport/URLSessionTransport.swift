import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests over a `URLSession` of its own that keeps nothing: no cookies, no cache, no credentials.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.send(HTTPRequest(url: url, timeout: 5, maximumResponseLength: 1 << 20))
/// ```
///
/// Connections are kept open between requests, so one transport is meant to serve a whole process; it may be used from
/// any number of tasks. A request's timeout bounds the whole exchange, redirects included, and its length limit is
/// enforced while the body arrives: no more than it is ever held.
///
/// On Linux, FoundationNetworking up to Swift 6.3 ends the process if an HTTP/1 server closes the connection in the middle of
/// a response's header, or sends header fields after a chunked body. Where a server or a proxy is not to be trusted with
/// that, use `CurlTransport` of the product `ConvertCurlTransport`. With either, a compressed body that ends early although
/// its framing is complete is taken for whole on Linux, so a caller checks what it decodes.
///
/// A redirect is followed to `https`, or from loopback to loopback, five times at most, and without `Authorization` to
/// another origin. Any other redirect is returned as the response that it is; so is one that would turn a `POST` into
/// a `GET`.
public final class URLSessionTransport: HTTPTransport {
    private let connectionsPerHost: Int
    private let current: Mutex<ExchangeSession>

    /// A transport.
    /// - Parameter connectionsPerHost: about how many connections it opens to one host at a time; further requests wait. At
    ///   least 1.
    public init(connectionsPerHost: Int = 6) {
        self.connectionsPerHost = max(1, connectionsPerHost)
        current = Mutex(ExchangeSession(connectionsPerHost: self.connectionsPerHost))
    }

    deinit { current.withLock { $0 }.retire() }

    /// Sends `request` and returns the whole response, of whatever status.
    /// - Throws: `TransportError` if there is no complete response, `CancellationError` if the task was cancelled.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await RedirectPolicy.follow(request) { try await exchange($0, until: $1) }
    }

    /// One request and its response, redirect or not.
    private func exchange(_ request: HTTPRequest, until deadline: ContinuousClock.Instant) async throws -> HTTPResponse
    {
        let session = current.withLock { $0 }
        let exchange = Exchange(request, deadline: deadline, control: session.control)
        do {
            return try await exchange.outcome.value {
                exchange.begin { session.task(with: URLRequest(request), of: exchange) }
            }
        } catch {
            exchange.cancel()
            if exchange.isInItsBody { replace(session) }
            throw error
        }
    }

    /// Makes later exchanges use a new session.
    ///
    /// On Linux a task that is cancelled in the middle of a body ends only once the session has read all that is there to
    /// read, and a server that is fast enough keeps it from getting that far. Until then it does nothing else, so nothing
    /// else may depend on it.
    private func replace(_ session: ExchangeSession) {
        let isCurrent = current.withLock { current in
            guard current === session else { return false }
            current = ExchangeSession(connectionsPerHost: connectionsPerHost)
            return true
        }
        if isCurrent { session.retire() }
    }
}

extension URLRequest {
    /// The `URLSession` form of `request`.
    fileprivate init(_ request: HTTPRequest) {
        self.init(url: request.url)
        httpMethod = request.method
        httpBody = request.body
        httpShouldHandleCookies = false
        cachePolicy = .reloadIgnoringLocalCacheData
        // The session's own timeout is for a silence, not for the exchange, and in whole seconds on some platforms. It is
        // kept far out of the way of ours, since on Linux a redirect that it overtakes ends the process.
        timeoutInterval = 2 * HTTPRequest.longestTimeout
        for (name, value) in request.fields { setValue(value, forHTTPHeaderField: name) }
    }
}
