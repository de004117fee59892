import ConvertConcurrency

/// Ids of events that were delivered, or given up for good, on their way from the delivery to the ledger's writer.
final class LedgerRemovals: Sendable {
    private struct State {
        var ids: [EventID] = []
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

    /// Number of ids that wait.
    var count: Int { state.withLock { $0.ids.count } }

    /// Up to `limit` of the ids that have waited longest.
    func first(_ limit: Int) -> [EventID] { state.withLock { Array($0.ids.prefix(limit)) } }

    /// Takes the first ids out, which are done.
    func removeFirst(_ count: Int) { state.withLock { $0.ids.removeFirst(min(count, $0.ids.count)) } }

    /// Opens `alarm` with the next ids.
    func setAlarm(_ alarm: Latch) { state.withLock { $0.alarm = alarm } }
}
