#if canImport(Darwin)
import ConvertConcurrency
import Foundation

/// One request that a `URLSession` sends.
final class SessionExchange: Sendable {
    private struct State {
        var task: URLSessionDataTask?
        var head: ResponseHead?
        var body = Data()
        var isCancelled = false
    }

    let request: HTTPRequest
    let outcome: ExchangeOutcome
    private let state = Mutex(State())

    init(_ request: HTTPRequest, deadline: ContinuousClock.Instant) {
        self.request = request
        outcome = ExchangeOutcome(of: request, until: deadline)
    }

    /// Starts `task`, unless the exchange is already over.
    func begin(_ task: URLSessionDataTask) {
        let isOver = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isOver { task.cancel() } else { task.resume() }
    }

    /// Cancels the task, if there is one.
    func cancel() {
        let task = state.withLock { state in
            defer { state.task = nil }
            state.body = Data()
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// Receives the response's head.
    func receive(_ response: URLResponse) {
        guard let head = ResponseHead(response, to: request) else { return fail(.malformedResponse) }
        state.withLock { state in
            state.head = head
            state.body = Data()
        }
        outcome.begin(status: head.status)
        if let length = head.length, length > request.maximumResponseLength { fail(.responseTooLong) }
    }

    /// Receives a part of the body.
    func receive(_ part: Data) {
        guard !outcome.isSettled else { return }
        let fits = state.withLock { state in
            guard part.count <= request.maximumResponseLength - state.body.count else { return false }
            state.body.append(part)
            return true
        }
        if !fits { fail(.responseTooLong) }
    }

    /// Sets the outcome after the session has ended `task`.
    func complete(_ task: URLSessionTask, _ failure: (any Error)?) {
        let (received, body) = state.withLock { state in
            defer { state = State(isCancelled: state.isCancelled) }
            return (state.head, state.body)
        }
        // For a redirect without a usable `Location`, some platforms do not call the delegate with the response. Some
        // end a task whose challenge was rejected as if it had been cancelled. In both cases the task has the
        // response's head.
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
        // The waiting caller will also cancel, but on a busy machine that may take a while.
        cancel()
    }
}
#endif
