import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request on its way to one outcome: whatever comes first of response, failure, timeout and cancellation.
final class Exchange: Sendable {
    typealias Continuation = CheckedContinuation<HTTPResponse, any Error>

    private struct State {
        var continuation: Continuation?
        var outcome: Result<HTTPResponse, any Error>?
        var timer: Task<Void, Never>?
        var task: URLSessionDataTask?
        var head: ResponseHead?
        var body = Data()
        var wasGivenUpInItsBody = false
    }

    /// The longest timeout, in seconds; longer ones are cut to it.
    static let longestTimeout: TimeInterval = 24 * 60 * 60

    let request: HTTPRequest
    private let deadline: ContinuousClock.Instant
    private let control: DispatchQueue
    private let state = Mutex(State())

    init(_ request: HTTPRequest, deadline: ContinuousClock.Instant, control: DispatchQueue) {
        self.request = request
        self.deadline = deadline
        self.control = control
    }

    /// The request's timeout in seconds, within bounds; what is not a number is no time at all.
    static func timeout(of request: HTTPRequest) -> TimeInterval {
        request.timeout > 0 ? min(request.timeout, longestTimeout) : 0
    }

    /// Whether the exchange ended while the session was still receiving the body.
    var wasGivenUpInItsBody: Bool { state.withLock { $0.wasGivenUpInItsBody } }

    /// Starts the exchange with a task from `makeTask`, or gives the outcome it already has.
    func begin(_ continuation: Continuation, makeTask: @escaping @Sendable () -> URLSessionDataTask) {
        let timer = Task {
            do { try await Task.sleep(until: deadline) } catch { return }
            fail(error(.timedOut))
        }
        let outcome = state.withLock { state in
            if state.outcome == nil {
                state.continuation = continuation
                state.timer = timer
            }
            return state.outcome
        }
        if let outcome {
            timer.cancel()
            return continuation.resume(with: outcome)
        }
        control.async {
            guard self.state.withLock({ $0.outcome == nil }) else { return }
            let task = makeTask()
            self.state.withLock { $0.task = task }
            task.resume()
        }
    }

    /// Ends the exchange with `error`, unless it has ended.
    func fail(_ error: any Error) {
        finish(.failure(error), isGivenUp: true)
        control.async {
            let task = self.state.withLock { state in
                defer { state.task = nil }
                return state.task
            }
            task?.cancel()
        }
    }

    /// Runs `body` unless the exchange has ended, which it cannot meanwhile. It must not wait or call the exchange.
    func beforeItsEnd(_ body: () -> Void) {
        state.withLock { state in
            if state.outcome == nil { body() }
        }
    }

    /// Takes the response's head.
    func receive(_ response: URLResponse) {
        guard let head = ResponseHead(response, to: request) else { return fail(error(.malformedResponse)) }
        state.withLock { state in
            state.head = head
            state.body = Data()
        }
        if let length = head.length, length > request.maximumResponseLength { fail(error(.responseTooLong)) }
    }

    /// Takes a part of the body.
    func receive(_ part: Data) {
        let fits = state.withLock { state in
            guard state.outcome == nil else { return true }
            guard part.count <= request.maximumResponseLength - state.body.count else { return false }
            state.body.append(part)
            return true
        }
        if !fits { fail(error(.responseTooLong)) }
    }

    /// Ends the exchange as the session ended `task`.
    func complete(_ task: URLSessionTask, _ failure: (any Error)?) {
        let (received, body) = state.withLock { ($0.head, $0.body) }
        // Some platforms hand over nothing of a redirect without a usable `Location`, and end a task whose challenge was
        // refused as if it had been cancelled. The task has the response's head then.
        let head = received ?? task.response.flatMap { ResponseHead($0, to: request) }
        if let failure {
            let failure = failure as NSError
            if failure.code == NSURLErrorCancelled, let head, head.status == 401 {
                return finish(.success(HTTPResponse(status: head.status, headers: head.headers)))
            }
            let code = TransportError.Code(failure, head: received)
            return finish(.failure(error(code, underlying: failure.code)))
        }
        guard let head else { return finish(.failure(error(.malformedResponse))) }
        if received != nil, let length = head.length, length != body.count {
            return finish(.failure(error(.interrupted)))
        }
        finish(.success(HTTPResponse(status: head.status, headers: head.headers, body: body)))
    }

    private func finish(_ outcome: Result<HTTPResponse, any Error>, isGivenUp: Bool = false) {
        let ended = state.withLock { state -> State? in
            guard state.outcome == nil else { return nil }
            let ended = state
            state = State(
                outcome: outcome, task: ended.task, wasGivenUpInItsBody: isGivenUp && ended.head != nil)
            return ended
        }
        ended?.timer?.cancel()
        ended?.continuation?.resume(with: outcome)
    }

    private func error(_ code: TransportError.Code, underlying: Int? = nil) -> TransportError {
        TransportError(code, host: request.url.hostAndPort, underlyingCode: underlying)
    }
}
