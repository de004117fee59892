import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request on its way through a `URLSession`.
final class Exchange: Sendable {
    private struct State {
        var task: URLSessionDataTask?
        var head: ResponseHead?
        var body = Data()
        var isComplete = false
        var isCancelled = false
    }

    let request: HTTPRequest
    let outcome: ExchangeOutcome
    private let control: DispatchQueue
    private let state = Mutex(State())

    init(_ request: HTTPRequest, deadline: ContinuousClock.Instant, control: DispatchQueue) {
        self.request = request
        self.control = control
        outcome = ExchangeOutcome(of: request, until: deadline)
    }

    /// Whether the session is still receiving the body.
    var isInItsBody: Bool { state.withLock { $0.head != nil && !$0.isComplete } }

    /// Starts a task from `makeTask`, unless the outcome is known by then.
    func begin(makeTask: @escaping @Sendable () -> URLSessionDataTask) {
        control.async {
            guard !self.outcome.isSettled else { return }
            let task = makeTask()
            self.state.withLock { $0.task = task }
            task.resume()
        }
    }

    /// Ends the task, if one is under way.
    func cancel() {
        control.async {
            let task = self.state.withLock { state in
                defer { state.task = nil }
                state.body = Data()
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }
    }

    /// Runs `body` unless the task is cancelled, which it cannot be meanwhile. It must not wait or call the exchange.
    func unlessCancelled(_ body: () -> Void) {
        state.withLock { state in
            if !state.isCancelled { body() }
        }
    }

    /// Takes the response's head.
    func receive(_ response: URLResponse) {
        guard let head = ResponseHead(response, to: request) else { return fail(.malformedResponse) }
        state.withLock { state in
            state.head = head
            state.body = Data()
        }
        outcome.begin(status: head.status)
        if let length = head.length, length > request.maximumResponseLength { fail(.responseTooLong) }
    }

    /// Takes a part of the body.
    func receive(_ part: Data) {
        guard !outcome.isSettled else { return }
        let fits = state.withLock { state in
            guard part.count <= request.maximumResponseLength - state.body.count else { return false }
            state.body.append(part)
            return true
        }
        if !fits { fail(.responseTooLong) }
    }

    /// Settles the outcome as the session ended `task`.
    func complete(_ task: URLSessionTask, _ failure: (any Error)?) {
        let (received, body) = state.withLock { state in
            defer { state = State(isComplete: true) }
            return (state.head, state.body)
        }
        // Some platforms hand over nothing of a redirect without a usable `Location`, and end a task whose challenge was
        // refused as if it had been cancelled. The task has the response's head then.
        let head = received ?? task.response.flatMap { ResponseHead($0, to: request) }
        if let failure {
            let failure = failure as NSError
            if failure.code == NSURLErrorCancelled, let head, head.status == 401 {
                return outcome.settle(.success(HTTPResponse(status: head.status, headers: head.headers)))
            }
            return fail(TransportError.Code(failure, head: received), underlying: failure.code)
        }
        guard let head else { return fail(.malformedResponse) }
        if received != nil, let length = head.length, length != body.count { return fail(.interrupted) }
        outcome.settle(.success(HTTPResponse(status: head.status, headers: head.headers, body: body)))
    }

    private func fail(_ code: TransportError.Code, underlying: Int? = nil) {
        outcome.fail(code, underlying: underlying)
        // Whoever waits will do so too, but that may be a while on a busy machine.
        cancel()
    }
}
