#if canImport(Darwin)
import Foundation

/// Sends requests with its own `URLSession`, which stores nothing: the implementation of ``SystemTransport`` for
/// Apple's systems.
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

    // A session stays alive until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    /// Sends one request and returns its response, even a redirect.
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
        // The session's own timeout limits silence, not the whole exchange, so it is set to a value that never applies.
        timeoutInterval = 2 * HTTPRequest.longestTimeout
        for (name, value) in request.fields { setValue(value, forHTTPHeaderField: name) }
    }
}
#endif
