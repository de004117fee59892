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
        var head: ResponseHead?
        var body = Data()
    }

    /// The longest timeout, in seconds; longer ones are cut to it.
    static let longestTimeout: TimeInterval = 24 * 60 * 60

    let task: URLSessionDataTask
    private let request: HTTPRequest
    private let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    init(_ request: HTTPRequest, task: URLSessionDataTask, deadline: ContinuousClock.Instant) {
        self.request = request
        self.task = task
        self.deadline = deadline
    }

    /// The request's timeout in seconds, within bounds; what is not a number is no time at all.
    static func timeout(of request: HTTPRequest) -> TimeInterval {
        request.timeout > 0 ? min(request.timeout, longestTimeout) : 0
    }

    /// Starts the exchange, or gives the outcome it already has.
    func begin(_ continuation: Continuation) {
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
            continuation.resume(with: outcome)
        } else {
            task.resume()
        }
    }

    /// Ends the exchange with `error`, unless it has ended.
    func fail(_ error: any Error) {
        finish(.failure(error))
        task.cancel()
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
            // What still arrives after the end is dropped, and the task told again: a cancellation that comes while the
            // head is being handed over is lost on some platforms.
            guard state.outcome == nil, part.count <= request.maximumResponseLength - state.body.count else {
                return false
            }
            state.body.append(part)
            return true
        }
        if !fits { fail(error(.responseTooLong)) }
    }

    /// Ends the exchange as the session did.
    func complete(_ failure: (any Error)?) {
        let (head, body) = state.withLock { ($0.head, $0.body) }
        if let failure, let response = refusedChallenge(failure) { return finish(.success(response)) }
        if let failure {
            let head = head ?? task.response.flatMap { ResponseHead($0, to: request) }
            let code = TransportError.Code(failure, head: head, received: body.count)
            return finish(.failure(error(code, underlying: (failure as NSError).code)))
        }
        if let head {
            if let length = head.length, length != body.count { return finish(.failure(error(.interrupted))) }
            return finish(.success(HTTPResponse(status: head.status, headers: head.headers, body: body)))
        }
        // Some platforms hand over nothing of a redirect without a usable `Location`; the task has its head.
        guard let head = task.response.flatMap({ ResponseHead($0, to: request) }) else {
            return finish(.failure(error(.malformedResponse)))
        }
        finish(.success(HTTPResponse(status: head.status, headers: head.headers)))
    }

    /// The response of status 401 whose challenge the session's delegate refused: some platforms end such a task as if it
    /// had been cancelled, without the body.
    private func refusedChallenge(_ failure: any Error) -> HTTPResponse? {
        guard (failure as NSError).code == NSURLErrorCancelled, let response = task.response,
            let head = ResponseHead(response, to: request), head.status == 401
        else { return nil }
        return HTTPResponse(status: head.status, headers: head.headers)
    }

    private func finish(_ outcome: Result<HTTPResponse, any Error>) {
        let ended = state.withLock { state -> State? in
            guard state.outcome == nil else { return nil }
            let ended = state
            state = State(outcome: outcome)
            return ended
        }
        ended?.timer?.cancel()
        ended?.continuation?.resume(with: outcome)
    }

    private func error(_ code: TransportError.Code, underlying: Int? = nil) -> TransportError {
        TransportError(code, host: request.url.hostAndPort, underlyingCode: underlying)
    }
}
