import Synchronization

/// Opens once, and lets everybody pass from then on.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// Those that gave up before they began to wait.
        var gaveUp: Set<Int> = []
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    /// Waits until the latch opens, `deadline` has come or the task is cancelled. Returns whether it is open.
    func wait(until deadline: Duration? = nil, by time: any TimeSource) async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let alarm = deadline.map { deadline in
            Task {
                try? await time.sleep(until: deadline)
                self.giveUp(id)
            }
        }
        defer {
            alarm?.cancel()
            state.withLock { _ = $0.gaveUp.remove(id) }
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.isOpen { return true }
                    // Who gave up before coming here left an entry that says so.
                    if Task.isCancelled || state.gaveUp.remove(id) != nil { return false }
                    state.waiters[id] = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { state in
            if let waiter = state.waiters.removeValue(forKey: id) { return Optional(waiter) }
            if !state.isOpen { state.gaveUp.insert(id) }
            return nil
        }
        waiter?.resume(returning: false)
    }
}
