import ConvertECMAScript
import Foundation

/// What one call tracks, and the rows that stand for it in the journal.
struct TrackedCall: Sendable {
    let events: [QueuedEvent]
    let claim: KeyedClaim?
    /// One for each event, and a last one for the claim if there is anything to remember of it.
    let rowCount: Int

    init(_ events: [QueuedEvent], claiming claim: KeyedClaim?) {
        self.events = events
        self.claim = claim
        rowCount = events.count + (claim?.claim.isStored ?? false ? 1 : 0)
    }

    /// Writes the row with the index.
    func write(row index: Int, to json: inout JSONBytes) {
        if index < events.count { events[index].writeRow(to: &json) } else { claim?.writeRow(to: &json) }
    }

    /// The rows, each by itself.
    var rows: [Data] {
        (0..<rowCount).map { index in
            var json = JSONBytes(capacity: 256)
            write(row: index, to: &json)
            return json.bytes.withUnsafeBytes { Data($0) }
        }
    }
}
