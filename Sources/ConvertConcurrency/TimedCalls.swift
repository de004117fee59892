/// Calls of an app's own code, each within the same time limit, with one alarm for all of them.
///
/// It does for thousands of calls a second what ``withDeadline(_:by:_:)`` does for one now and then: a call takes one task.
package final class TimedCalls: Sendable {
    private struct Call {
        let task: Task<Void, Never>
        let giveUp: @Sendable (any Error) -> Void
    }

    private struct State {
        var lastID = 0
        /// Those of calls that are yet to begin.
        var reservedIDs: Set<Int> = []
        /// The calls that are not over.
        var calls: [Int: Call] = [:]
        /// When calls are given up: in ascending order, because all have the same time. Some of them are over.
        var deadlines = FIFOQueue<(id: Int, time: Duration)>()
        /// What waits for the first deadline.
        var alarm: Task<Void, Never>?
    }

    private let limit: Duration
    private let time: any TimeSource
    private let state = Mutex(State())

    /// Calls that may take up to `limit`.
    package init(within limit: Duration, by time: any TimeSource) {
        self.limit = limit
        self.time = time
    }

    deinit { state.withLock { $0.alarm }?.cancel() }

    /// What ``cancel(_:)`` calls a call by that is to begin soon: for callers that hold a lock, under which none should.
    package func reserveID() -> Int {
        state.withLock { state in
            state.lastID += 1
            state.reservedIDs.insert(state.lastID)
            return state.lastID
        }
    }

    /// Begins `operation`. `whenOver` receives what it returns or throws, or a ``DeadlineError`` once its time is over: then
    /// the operation is cancelled, but not waited for.
    ///
    /// - Parameter id: from ``reserveID()``.
    /// - Returns: whether it has begun; not if it was cancelled before.
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

    /// The value of `operation`, or a ``DeadlineError`` if there is none in time.
    package func value<Value: Sendable>(
        of operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            begin(as: reserveID(), operation) { continuation.resume(with: $0) }
        }
    }

    /// Gives a call up, as if its time were over, with a `CancellationError`. Does nothing if it is over.
    package func cancel(_ id: Int) {
        // One that has not begun finds that out then.
        if state.withLock({ $0.reservedIDs.remove(id) != nil }) { return }
        guard let call = end(id) else { return }
        call.task.cancel()
        call.giveUp(CancellationError())
    }

    /// Ends a call; `nil` if it was over.
    private func end(_ id: Int) -> Call? {
        state.withLock { state in
            let call = state.calls.removeValue(forKey: id)
            // The alarm stays: one that rings for nothing costs less than another one for each call.
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

    /// Gives up the calls whose time is over, and waits for the next one.
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
