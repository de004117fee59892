import ConvertECMAScript

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What one call tracks, and the rows that stand for it in the journal. A class, as it is handed from thread to thread.
final class TrackedCall: Sendable {
    let events: [QueuedEvent]
    let claim: KeyedClaim?
    /// The index of the claim's row, if there is anything to remember of it; it follows the events'.
    let claimRow: Int?

    /// One for each event, and a last one for the claim.
    var rowCount: Int { events.count + (claimRow == nil ? 0 : 1) }

    init(_ events: [QueuedEvent], claiming claim: KeyedClaim?) {
        self.events = events
        self.claim = claim
        claimRow = claim?.claim.isStored ?? false ? events.count : nil
    }

    /// Writes the row with the index.
    func write(row index: Int, to json: inout JSONBytes) {
        if index < events.count { events[index].report.writeRow(to: &json) } else { claim?.writeRow(to: &json) }
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
