import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The session's delegate: hands what the session says about a task to the exchange that the task belongs to.
final class ExchangeRegister: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: Exchange]>([:])

    /// Makes `exchange` the one that `task` belongs to, until the task ends.
    func add(_ exchange: Exchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private subscript(task: URLSessionTask) -> Exchange? { exchanges.withLock { $0[task.taskIdentifier] } }

    // A redirect is a response like any other; the transport decides what follows.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Linux ends the process if this is answered for a task that was cancelled meanwhile, and does not miss the
            // answer then.
            self[task]?.unlessCancelled { completionHandler(nil) }
        #else
            completionHandler(nil)
        #endif
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        // Linux ignores `.cancel`; an exchange that takes no body cancels its task itself.
        completionHandler(.allow)
        self[dataTask]?.receive(response)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self[dataTask]?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(task, error)
    }

    // Trust in a server is the system's to judge. Every other challenge is refused, so that a 401 is a response: default
    // handling on Linux never ends such a task.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
            let isTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
            completionHandler(isTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
        #else
            // Refusing waits for the session, which a callback must not.
            nonisolated(unsafe) let refuse = completionHandler
            DispatchQueue.global().async { refuse(.rejectProtectionSpace, nil) }
        #endif
    }
}
