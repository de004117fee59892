import ConvertConcurrency
package import Foundation

/// A clock that stands still until a test advances it.
package final class StepClock: TimeSource {
    private struct State {
        var now = Duration.zero
        var date = Date(timeIntervalSince1970: 1_700_000_000)
        var nextID = 0
        var sleepers: [Int: (deadline: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// A clock that begins at zero.
    package init() {}

    package var now: Duration { state.withLock { $0.now } }

    package var date: Date { state.withLock { $0.date } }

    /// When somebody wants to be woken up next.
    package var nextDeadline: Duration? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    /// Whether somebody wants to be woken up after exactly `delay` from now.
    package func isAwaited(in delay: Duration) -> Bool {
        state.withLock { state in state.sleepers.values.contains { $0.deadline == state.now + delay } }
    }

    /// Jumps the calendar's time, as an administrator does.
    package func setDate(_ date: Date) { state.withLock { $0.date = date } }

    package func advance(by step: Duration) {
        let due = state.withLock { state in
            state.now += step
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    package func sleep(until deadline: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = (deadline, continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
