import ConvertConcurrency

/// The outcome of an exchange: the first of response, failure, timeout and cancellation.
final class ExchangeOutcome: Sendable {
    private struct State {
        var continuation: CheckedContinuation<HTTPResponse, any Error>?
        var timer: Task<Void, Never>?
        var outcome: Result<HTTPResponse, any Error>?
        /// The status of the response whose body is being received.
        var status: Int?
    }

    private let host: String?
    private let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    /// Creates the outcome of `request`. It becomes a timeout at `deadline`.
    init(of request: HTTPRequest, until deadline: ContinuousClock.Instant) {
        host = request.url.hostAndPort
        self.deadline = deadline
    }

    /// Whether the outcome is set.
    var isSettled: Bool { state.withLock { $0.outcome != nil } }

    /// Starts the exchange and waits for the outcome. If this throws, the caller must end the exchange.
    func value(start: () -> Void) async throws -> HTTPResponse {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let timer = Task {
                    do { try await Task.sleep(until: deadline) } catch { return }
                    fail(.timedOut)
                }
                let outcome = state.withLock { state in
                    if state.outcome == nil {
                        state.continuation = continuation
                        state.timer = timer
                    }
                    return state.outcome
                }
                guard let outcome else { return start() }
                timer.cancel()
                continuation.resume(with: outcome)
            }
        } onCancel: {
            settle(.failure(CancellationError()))
        }
    }

    /// Records the status of a response whose body follows.
    func begin(status: Int) { state.withLock { $0.status = status } }

    /// Sets a failure as the outcome, unless it is already set.
    func fail(_ code: TransportError.Code, underlying: Int? = nil) {
        let status = state.withLock { $0.status }
        settle(.failure(TransportError(code, host: host, underlyingCode: underlying, status: status)))
    }

    /// Sets the outcome, unless it is already set.
    func settle(_ outcome: Result<HTTPResponse, any Error>) {
        let waiting = state.withLock { state -> State? in
            guard state.outcome == nil else { return nil }
            defer { state = State(outcome: outcome) }
            return state
        }
        waiting?.timer?.cancel()
        waiting?.continuation?.resume(with: outcome)
    }
}
