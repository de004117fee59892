/// What a shutdown left.
public struct ShutdownReport: Sendable, Hashable {
    /// Where the events are. Those still queued were not delivered, or not known to be.
    public let events: DeliveryCounts
    /// Number of visitors whose last changes are not in the store. Changes that were dropped earlier, because too many
    /// visitors waited for the store, count each; what an earlier process left in the journal counts once it is read.
    public let unsavedVisitors: Int
    /// Whether there is a journal and it has all events that are still queued: the next start delivers them. `false` too
    /// if it could not take one of them, for want of room on the disk perhaps.
    public let isJournaled: Bool

    /// Whether nothing is left.
    public var isComplete: Bool { events.queued == 0 && unsavedVisitors == 0 }
}

extension ShutdownReport: CustomStringConvertible {
    /// What is left, and what became of the events, in one line.
    public var description: String {
        let left = [
            events.queued == 0
                ? nil : "\(events.queued) events not delivered" + (isJournaled ? ", the journal has them" : ""),
            unsavedVisitors == 0 ? nil : "\(unsavedVisitors) visitors not saved",
        ].compactMap(\.self)
        return (left.isEmpty ? "nothing is left" : left.joined(separator: "; ")) + "; events: \(events)"
    }
}
