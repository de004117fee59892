import ConvertLedgers
import ConvertConcurrency

/// The delivery's requests to the ledger's writer: to remove delivered or rejected events, and to begin a new owner.
final class LedgerRemovals: Sendable {
    private struct State {
        var ids: [EventID] = []
        var needsOwner = false
        var alarm: Latch?
    }

    private let state = Mutex(State())

    /// Adds ids. Returns the latch to open afterwards, for callers that hold a lock.
    func append(_ ids: [EventID]) -> Latch? {
        if ids.isEmpty { return nil }
        return state.withLock { state in
            state.ids += ids
            return PlantedFault.isPlanted("removal-wakes-nothing") ? nil : state.alarm.take()
        }
    }

    /// Adds ids, and opens the alarm.
    func add(_ ids: [EventID]) { append(ids)?.open() }

    /// Requests a new owner, and opens the alarm.
    func askForOwner() {
        let alarm = state.withLock { state in
            state.needsOwner = true
            return state.alarm.take()
        }
        alarm?.open()
    }

    /// Whether a new owner is requested.
    var needsOwner: Bool { state.withLock { $0.needsOwner } }

    /// Records that a new owner has begun.
    func didBeginOwner() { state.withLock { $0.needsOwner = false } }

    /// Whether no ids wait.
    var isEmpty: Bool { state.withLock { $0.ids.isEmpty } }

    /// The first ids in the queue, at most `limit`.
    func first(_ limit: Int) -> [EventID] { state.withLock { Array($0.ids.prefix(limit)) } }

    /// Removes the first ids, which are done.
    func removeFirst(_ count: Int) { state.withLock { $0.ids.removeFirst(min(count, $0.ids.count)) } }

    /// Sets the latch that the next request opens.
    func setAlarm(_ alarm: Latch) { state.withLock { $0.alarm = alarm } }
}
