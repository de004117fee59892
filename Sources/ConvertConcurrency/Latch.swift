/// A gate that opens once and then stays open for all tasks.
package final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// Waits that have begun but are neither waiting yet nor cancelled.
        var arriving: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Whether the latch is open.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The number of waits that have not ended.
    var waitCount: Int { state.withLock { $0.waiters.count + $0.arriving.count } }

    /// Creates a closed latch.
    package init() {}

    /// Opens the latch and resumes all waiting tasks.
    package func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    /// Waits until the latch opens or the task is cancelled. Returns whether it is open.
    package func wait() async -> Bool { await wait(until: nil, by: SystemTime()) }

    /// Waits until the latch opens, `deadline` is reached or the task is cancelled. Returns whether it is open.
    package func wait(until deadline: Duration?, by time: any TimeSource) async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            state.arriving.insert(state.nextID)
            return state.nextID
        }
        let alarm = deadline.map { deadline in
            Task {
                guard (try? await time.sleep(until: deadline)) != nil else { return }
                self.giveUp(id)
            }
        }
        defer { alarm?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    let isArriving = state.arriving.remove(id) != nil
                    if state.isOpen, !PlantedFault.isPlanted("latch-does-not-look-again") { return true }
                    if Task.isCancelled || !isArriving { return false }
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
            state.arriving.remove(id)
            return state.waiters.removeValue(forKey: id)
        }
        waiter?.resume(returning: false)
    }
}
