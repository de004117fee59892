/// What a shutdown left, and what the SDK lost before.
public struct ShutdownReport: Sendable, Hashable {
    /// Where the events are. Those still queued were not delivered, or not known to be.
    public let events: DeliveryCounts
    /// Number of visitors whose last changes are not in the store. Changes that were dropped earlier, because too many
    /// visitors waited for the store, count each; what an earlier process left in the journal counts once it is read.
    public let unsavedVisitors: Int
    /// Whether there is a journal and it has all events that are still queued: the next start delivers them. `false` too
    /// if it could not take one of them, for want of room on the disk perhaps.
    public let isJournaled: Bool

    /// Events that were given up since the SDK was made, by why. Goals that another machine counted first are not among
    /// them.
    public var lostEvents: [RejectionReason: Int] { events.rejected.filter { $0.key != .countedElsewhere } }

    /// Whether all visitors were saved, no event waits, and no event was lost since the SDK was made.
    public var isComplete: Bool { events.queued == 0 && unsavedVisitors == 0 && lostEvents.isEmpty }
}

extension ShutdownReport: CustomStringConvertible {
    /// What was lost, what is left, and what became of the events, in one line.
    public var description: String {
        let lost = lostEvents.values.reduce(0, +)
        let left = [
            lost == 0 ? nil : "\(lost) events given up",
            events.queued == 0
                ? nil : "\(events.queued) events not delivered" + (isJournaled ? ", the journal has them" : ""),
            unsavedVisitors == 0 ? nil : "\(unsavedVisitors) visitors not saved",
        ].compactMap(\.self)
        return (left.isEmpty ? "nothing is left" : left.joined(separator: "; ")) + "; events: \(events)"
    }
}
