/// One operation at a time for all that ask: who asks while it is under way gets its result.
///
/// A caller whose task is cancelled stops waiting at once. What that means for the operation is said where the flight is
/// made.
package final class SingleFlight<Value: Sendable>: Sendable {
    /// What becomes of an operation that nobody waits for any more.
    package enum Abandonment: Sendable { case goesOn, isCancelled }

    /// An operation under way.
    package final class Flight: Sendable {
        fileprivate let outcome = Outcome<Value>()
        fileprivate let group: SingleFlight

        fileprivate init(of group: SingleFlight) { self.group = group }

        /// Lets nobody else join. An operation calls it once it has its answer and only works on it: who asks from then
        /// on, as one who learns of the answer may, wants a newer one.
        /// - Throws: what the flights were ended with, if they were.
        package func close() throws {
            let error = group.state.withLock { state in
                if state.current?.flight === self { state.current = nil }
                return state.ending
            }
            if let error { throw error }
        }
    }

    private struct State {
        var current: (flight: Flight, task: Task<Void, Never>, callerCount: Int)?
        /// The last operation, which may be working on its answer.
        var last: Task<Void, Never>?
        var ending: (any Error)?
    }

    private let abandonment: Abandonment
    private let state = Mutex(State())

    /// Flights that end or go on when the last caller gives up.
    package init(whenAbandoned abandonment: Abandonment) { self.abandonment = abandonment }

    /// Whether an operation is under way that others may join.
    package var isUnderWay: Bool { state.withLock { $0.current != nil } }

    /// Callers that wait for the operation under way.
    package var callerCount: Int { state.withLock { $0.current?.callerCount ?? 0 } }

    /// The result of the operation under way, or else of `operation`, begun now.
    /// - Throws: what the operation throws; `CancellationError` if the calling task is cancelled before it ends; what
    ///   ``end(with:)`` was given.
    package func value(_ operation: @escaping @Sendable (Flight) async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let flight = try join(operation)
        let isOver = await flight.outcome.latch.wait()
        if !isOver { leave(flight) }
        guard isOver, let result = flight.outcome.result else { throw CancellationError() }
        return try result.get()
    }

    /// Cancels the operation under way. It and every later call throw `error`.
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
            // Who asks from now on is not to share its end.
            defer { state.current = nil }
            return state.current?.task
        }
        task?.cancel()
    }
}
