/// Calls an app's own code, each call with the same time limit, with one alarm for all calls.
///
/// It handles thousands of calls a second, while ``withDeadline(_:by:_:)`` is for occasional calls: each call takes one
/// task.
package final class TimedCalls: Sendable {
    private struct Call {
        let task: Task<Void, Never>
        let giveUp: @Sendable (any Error) -> Void
    }

    private struct State {
        var lastID = 0
        /// The reserved ids of calls that have not begun.
        var reservedIDs: Set<Int> = []
        /// The calls that have not ended.
        var calls: [Int: Call] = [:]
        /// The deadlines of calls. They are ascending, because all calls have the same limit. Some calls may already
        /// have ended.
        var deadlines = FIFOQueue<(id: Int, time: Duration)>()
        /// The task that waits for the first deadline.
        var alarm: Task<Void, Never>?
    }

    private let limit: Duration
    private let time: any TimeSource
    private let state = Mutex(State())

    /// Creates an instance whose calls may take up to `limit`.
    package init(within limit: Duration, by time: any TimeSource) {
        self.limit = limit
        self.time = time
    }

    deinit { state.withLock { $0.alarm }?.cancel() }

    /// Reserves an id for a call that will begin soon, for use with ``cancel(_:)``. For callers that hold a lock,
    /// because calls should not begin under a lock.
    package func reserveID() -> Int {
        state.withLock { state in
            state.lastID += 1
            state.reservedIDs.insert(state.lastID)
            return state.lastID
        }
    }

    /// Begins `operation`. `whenOver` receives its result, or a ``DeadlineError`` after the time limit. In that case
    /// the operation is cancelled, but not waited for.
    ///
    /// - Parameter id: an id from ``reserveID()``.
    /// - Returns: whether it has begun; `false` if it was cancelled before.
    @discardableResult
    package func begin<Value: Sendable>(
        as id: Int, _ operation: @escaping @Sendable () async throws -> Value,
        whenOver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Bool {
        let isWanted = state.withLock { state in
            guard state.reservedIDs.remove(id) != nil else { return false }
            let task = Task {
                let result: Result<Value, any Error>
                do { result = .success(try await operation()) } catch { result = .failure(error) }
                if self.end(id) != nil { whenOver(result) }
            }
            state.calls[id] = Call(task: task, giveUp: { whenOver(.failure($0)) })
            state.deadlines.append((id, time.now + limit))
            if state.alarm == nil { setAlarm(&state) }
            return true
        }
        if !isWanted { whenOver(.failure(CancellationError())) }
        return isWanted
    }

    /// Returns the value of `operation`, or throws a ``DeadlineError`` after the time limit.
    package func value<Value: Sendable>(
        of operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            begin(as: reserveID(), operation) { continuation.resume(with: $0) }
        }
    }

    /// Ends a call with a `CancellationError`, as if its time limit were over. Does nothing if it has already ended.
    package func cancel(_ id: Int) {
        // A call that has not begun checks its id when it begins.
        if state.withLock({ $0.reservedIDs.remove(id) != nil }) { return }
        guard let call = end(id) else { return }
        call.task.cancel()
        call.giveUp(CancellationError())
    }

    /// Ends a call; `nil` if it has already ended.
    private func end(_ id: Int) -> Call? {
        state.withLock { state in
            let call = state.calls.removeValue(forKey: id)
            // The alarm is kept: an unnecessary alarm costs less than a new one for each call.
            if state.calls.isEmpty { state.deadlines = FIFOQueue() }
            return call
        }
    }

    private func setAlarm(_ state: inout State) {
        guard let first = state.deadlines.first else { return }
        state.alarm = Task { [weak self, time] in
            guard (try? await time.sleep(until: first.time)) != nil else { return }
            self?.ring()
        }
    }

    /// Ends the calls that have exceeded the limit, and waits for the next deadline.
    private func ring() {
        let late = state.withLock { state in
            let now = time.now
            var late: [Call] = []
            while let first = state.deadlines.first, first.time <= now || state.calls[first.id] == nil {
                _ = state.deadlines.popFirst()
                if let call = state.calls.removeValue(forKey: first.id) { late.append(call) }
            }
            state.alarm?.cancel()
            state.alarm = nil
            setAlarm(&state)
            return late
        }
        for call in late {
            call.task.cancel()
            call.giveUp(DeadlineError())
        }
    }
}
