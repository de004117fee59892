#if canImport(Darwin)
import Foundation

/// Exchanges over a `URLSession` of its own that keeps nothing: the part of ``SystemTransport`` that is for Apple's systems.
final class URLSessionClient: Sendable {
    private let session: URLSession
    private let exchanges = ExchangeRegister()

    init(connectionsPerHost: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
    }

    // A session keeps itself alive until it is told to end.
    deinit { session.finishTasksAndInvalidate() }

    /// One request and its response, redirect or not.
    func exchange(_ request: HTTPRequest, until deadline: ContinuousClock.Instant) async throws -> HTTPResponse {
        let exchange = SessionExchange(request, deadline: deadline)
        do {
            return try await exchange.outcome.value {
                let task = session.dataTask(with: URLRequest(request))
                exchanges.add(exchange, for: task)
                exchange.begin(task)
            }
        } catch {
            exchange.cancel()
            throw error
        }
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
        // The session's own timeout is for a silence, not for the exchange. It is kept out of the way of ours.
        timeoutInterval = 2 * HTTPRequest.longestTimeout
        for (name, value) in request.fields { setValue(value, forHTTPHeaderField: name) }
    }
}
#endif
