import ConvertLedgers
import ConvertConcurrency

/// What the delivery asks of the ledger's writer: to remove events that were delivered, or given up for good, and to
/// begin another owner.
final class LedgerRemovals: Sendable {
    private struct State {
        var ids: [EventID] = []
        var needsOwner = false
        var alarm: Latch?
    }

    private let state = Mutex(State())

    /// Adds ids. Returns what is to be opened then, for callers that hold a lock.
    func append(_ ids: [EventID]) -> Latch? {
        if ids.isEmpty { return nil }
        return state.withLock { state in
            state.ids += ids
            return PlantedFault.isPlanted("removal-wakes-nothing") ? nil : state.alarm.take()
        }
    }

    /// Adds ids, and opens the alarm.
    func add(_ ids: [EventID]) { append(ids)?.open() }

    /// Asks for another owner, and opens the alarm.
    func askForOwner() {
        let alarm = state.withLock { state in
            state.needsOwner = true
            return state.alarm.take()
        }
        alarm?.open()
    }

    /// Whether another owner is asked for.
    var needsOwner: Bool { state.withLock { $0.needsOwner } }

    /// There is another owner.
    func didBeginOwner() { state.withLock { $0.needsOwner = false } }

    /// Whether no id waits.
    var isEmpty: Bool { state.withLock { $0.ids.isEmpty } }

    /// Up to `limit` of the ids that have waited longest.
    func first(_ limit: Int) -> [EventID] { state.withLock { Array($0.ids.prefix(limit)) } }

    /// Takes the first ids out, which are done.
    func removeFirst(_ count: Int) { state.withLock { $0.ids.removeFirst(min(count, $0.ids.count)) } }

    /// Opens `alarm` with what is asked for next.
    func setAlarm(_ alarm: Latch) { state.withLock { $0.alarm = alarm } }
}
