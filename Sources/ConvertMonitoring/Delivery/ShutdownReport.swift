/// The events and entries that remained at a shutdown, and the losses before it.
public struct ShutdownReport: Sendable, Hashable {
    /// The events by state. Queued events were not delivered, or their delivery was not confirmed.
    public let events: DeliveryCounts
    /// The number of calls whose changes the ledger does not have, including those dropped earlier for lack of space. 0
    /// without a ledger.
    public let unstoredEntries: Int
    /// Whether there is a ledger and it has all events that are still queued. If so, the next start delivers them.
    public let areEventsStored: Bool

    package init(events: DeliveryCounts, unstoredEntries: Int, areEventsStored: Bool) {
        self.events = events
        self.unstoredEntries = unstoredEntries
        self.areEventsStored = areEventsStored
    }

    /// Events that were rejected since the SDK was created, by reason. Excludes events that another process reports and
    /// events of forgotten visitors.
    public var lostEvents: [RejectionReason: Int] {
        events.rejected.filter { ![.countedElsewhere, .takenOver, .forgotten].contains($0.key) }
    }

    /// Whether everything is stored, no event waits, and no event was lost since the SDK was created.
    public var isComplete: Bool { events.queued == 0 && unstoredEntries == 0 && lostEvents.isEmpty }
}

extension ShutdownReport: CustomStringConvertible {
    /// The losses, the remaining events and entries, and the counts of events, in one line.
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
