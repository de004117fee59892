import Foundation

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
/// A redirect is followed to `https`, or from loopback to loopback, five times at most, and without `Authorization` to
/// another origin. Any other redirect is returned as the response that it is; so is one that would turn a `POST` into
/// a `GET`.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let exchanges: ExchangeRegister

    /// A transport.
    /// - Parameter connectionsPerHost: how many connections it opens to one host; further requests wait. At least 1.
    public init(connectionsPerHost: Int = 6) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = max(1, connectionsPerHost)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        exchanges = ExchangeRegister()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
    }

    // A session keeps itself and its delegate alive until it is told to end.
    deinit { session.invalidateAndCancel() }

    /// Sends `request` and returns the whole response, of whatever status.
    /// - Throws: `TransportError` if there is no complete response, `CancellationError` if the task was cancelled.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let deadline = ContinuousClock.now + .seconds(Exchange.timeout(of: request))
        var request = request
        var redirects = 0
        // Redirects are followed here: the session of some platforms follows them without the body, to `file:` as if it
        // were `http:`, and with `Authorization` to other hosts.
        while true {
            let response = try await exchange(request, until: deadline)
            guard redirects < RedirectPolicy.limit, let next = RedirectPolicy.next(after: response, to: request) else {
                return response
            }
            redirects += 1
            request = next
        }
    }

    /// One request and its response, redirect or not.
    private func exchange(_ request: HTTPRequest, until deadline: ContinuousClock.Instant) async throws -> HTTPResponse
    {
        try Task.checkCancellation()
        let task = session.dataTask(with: try URLRequest(request))
        let exchange = Exchange(request, task: task, deadline: deadline)
        exchanges.add(exchange)
        defer { exchanges.remove(exchange) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { exchange.begin($0) }
        } onCancel: {
            exchange.fail(CancellationError())
        }
    }
}

extension URLRequest {
    /// The `URLSession` form of `request`, if that can be sent.
    fileprivate init(_ request: HTTPRequest) throws {
        guard ["http", "https"].contains(request.url.scheme?.lowercased()), request.url.host?.isEmpty == false,
            HeaderField.isName(request.method),
            request.headers.allSatisfy({ HeaderField.isName($0.key) && HeaderField.isValue($0.value) })
        else { throw TransportError(.invalidRequest, host: request.url.hostAndPort) }
        self.init(url: request.url)
        httpMethod = request.method
        httpBody = request.body
        httpShouldHandleCookies = false
        cachePolicy = .reloadIgnoringLocalCacheData
        // The session's own timeout is for a silence, not for the exchange, and in whole seconds on some platforms; so it
        // is kept out of the way of ours.
        timeoutInterval = Exchange.timeout(of: request) + 5
        // Otherwise some platforms call every body a form.
        if request.body != nil { setValue("application/octet-stream", forHTTPHeaderField: "Content-Type") }
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }
}
