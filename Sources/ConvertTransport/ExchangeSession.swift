import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` that keeps nothing, with what belongs to it.
final class ExchangeSession: Sendable {
    /// Where tasks are made, started and cancelled, one after the other. On Linux each of these waits until the session
    /// has nothing else to do, so neither a caller nor a callback of the session may be the one who waits.
    let control = DispatchQueue(label: "ConvertTransport.control")

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
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: CallbackQueue())
    }

    /// A task for `exchange` that was not started yet. Called on `control`.
    func task(with request: URLRequest, of exchange: Exchange) -> URLSessionDataTask {
        let task = session.dataTask(with: request)
        exchanges.add(exchange, for: task)
        return task
    }

    /// Closes the connections once the last exchange has ended; a session keeps itself alive until it is told so.
    func retire() {
        control.async { [session] in session.finishTasksAndInvalidate() }
    }
}
