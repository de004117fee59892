/// What a shutdown left, and what the SDK lost before.
public struct ShutdownReport: Sendable, Hashable {
    /// Where the events are. Those still queued were not delivered, or not known to be.
    public let events: DeliveryCounts
    /// Number of calls whose changes the ledger does not have, those included for which there was no room earlier. 0
    /// without a ledger.
    public let unstoredEntries: Int
    /// Whether there is a ledger and it has all events that are still queued: the next start delivers them.
    public let areEventsStored: Bool

    package init(events: DeliveryCounts, unstoredEntries: Int, areEventsStored: Bool) {
        self.events = events
        self.unstoredEntries = unstoredEntries
        self.areEventsStored = areEventsStored
    }

    /// Events that were given up since the SDK was made, by why. Those are not among them that another process reports,
    /// or whose visitors were forgotten.
    public var lostEvents: [RejectionReason: Int] {
        events.rejected.filter { ![.countedElsewhere, .takenOver, .forgotten].contains($0.key) }
    }

    /// Whether everything is stored, no event waits, and no event was lost since the SDK was made.
    public var isComplete: Bool { events.queued == 0 && unstoredEntries == 0 && lostEvents.isEmpty }
}

extension ShutdownReport: CustomStringConvertible {
    /// What was lost, what is left, and what became of the events, in one line.
    public var description: String {
        let lost = lostEvents.values.reduce(0, +)
        let left = [
            lost == 0 ? nil : "\(lost) events given up",
            events.queued == 0
                ? nil : "\(events.queued) events not delivered" + (areEventsStored ? ", the ledger has them" : ""),
            unstoredEntries == 0 ? nil : "\(unstoredEntries) entries not stored",
        ].compactMap(\.self)
        return (left.isEmpty ? "nothing is left" : left.joined(separator: "; ")) + "; events: \(events)"
    }
}
