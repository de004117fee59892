import Foundation

/// What one call tracks, and the rows that stand for it in the journal.
struct TrackedCall: Sendable {
    let events: [QueuedEvent]
    let claim: KeyedClaim?
    /// One for each event, and a last one for the claim if there is anything to remember of it.
    let rows: [Data]

    init(_ events: [QueuedEvent], claiming claim: KeyedClaim?) {
        self.events = events
        self.claim = claim
        var rows: [Data] = []
        rows.reserveCapacity(events.count + 1)
        for index in events.indices { rows.append(JournalRow.bytes(of: events[index])) }
        if let row = claim.flatMap({ JournalRow.bytes(of: $0) }) { rows.append(row) }
        self.rows = rows
    }
}
