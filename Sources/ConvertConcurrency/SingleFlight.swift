/// Runs one operation at a time; callers that arrive meanwhile share its result.
///
/// A caller whose task is cancelled stops waiting immediately. `whenAbandoned` determines the effect on the operation.
package final class SingleFlight<Value: Sendable>: Sendable {
    /// What happens to an operation when all callers have stopped waiting.
    package enum Abandonment: Sendable { case goesOn, isCancelled }

    /// A running operation.
    package final class Flight: Sendable {
        fileprivate let outcome = Outcome<Value>()
        fileprivate let group: SingleFlight

        fileprivate init(of group: SingleFlight) { self.group = group }

        /// Prevents further callers from joining. An operation calls it when it has its answer and only processes it:
        /// later callers may already know of the answer, and want a newer one.
        /// - Throws: the error that ``SingleFlight/end(with:)`` was called with, if it was.
        package func close() throws {
            let error = group.state.withLock { state in
                if state.current?.flight === self, !PlantedFault.isPlanted("flight-not-ended") { state.current = nil }
                return state.ending
            }
            if let error { throw error }
        }
    }

    private struct State {
        var current: (flight: Flight, task: Task<Void, Never>, callerCount: Int)?
        /// The last operation. It may still be processing its answer.
        var last: Task<Void, Never>?
        var ending: (any Error)?
    }

    private let abandonment: Abandonment
    private let state = Mutex(State())

    /// Creates an instance whose operations continue or are cancelled when the last caller stops waiting.
    package init(whenAbandoned abandonment: Abandonment) { self.abandonment = abandonment }

    /// Whether an operation is running that callers can join.
    package var isUnderWay: Bool { state.withLock { $0.current != nil } }

    /// The number of callers that wait for the running operation.
    package var callerCount: Int { state.withLock { $0.current?.callerCount ?? 0 } }

    /// Returns the result of the running operation, or starts `operation` and returns its result.
    /// - Throws: the operation's error; `CancellationError` if the calling task is cancelled first; the error that
    ///   ``end(with:)`` was called with.
    package func value(_ operation: @escaping @Sendable (Flight) async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let flight = try join(operation)
        let isOver = await flight.outcome.latch.wait()
        if !isOver { leave(flight) }
        guard isOver, let result = flight.outcome.result else { throw CancellationError() }
        return try result.get()
    }

    /// Cancels the running operation. It and every later call throw `error`.
    package func end(with error: any Error) {
        let task = state.withLock { state in
            state.ending = state.ending ?? error
            return state.current?.task
        }
        task?.cancel()
    }

    /// Waits until the last operation has returned.
    package func finish() async { await state.withLock { $0.last }?.value }

    private func join(_ operation: @escaping @Sendable (Flight) async throws -> Value) throws -> Flight {
        let (flight, ending) = state.withLock { state -> (Flight?, (any Error)?) in
            if let ending = state.ending { return (nil, ending) }
            if let flight = state.current?.flight {
                state.current?.callerCount += 1
                return (flight, nil)
            }
            let flight = Flight(of: self)
            let task = Task {
                let result: Result<Value, any Error>
                do { result = .success(try await operation(flight)) } catch { result = .failure(error) }
                self.settle(flight, with: result)
            }
            state.current = (flight, task, 1)
            state.last = task
            return (flight, nil)
        }
        guard let flight else { throw ending ?? CancellationError() }
        return flight
    }

    private func settle(_ flight: Flight, with result: Result<Value, any Error>) {
        let ending = state.withLock { state in
            if state.current?.flight === flight, !PlantedFault.isPlanted("flight-not-ended") { state.current = nil }
            return state.ending
        }
        if case .failure = result, let ending { return flight.outcome.set(.failure(ending)) }
        flight.outcome.set(result)
    }

    private func leave(_ flight: Flight) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard state.current?.flight === flight else { return nil }
            state.current?.callerCount -= 1
            guard abandonment == .isCancelled, state.current?.callerCount == 0 else { return nil }
            // Later callers must not share this operation's end.
            defer { state.current = nil }
            return state.current?.task
        }
        task?.cancel()
    }
}
