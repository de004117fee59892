#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A journal in a place that several machines share, each of which owns what it appended, for as long as it runs.
package protocol SharedEventJournal: EventJournal {
    /// How often to look for what has lost its owner.
    var takeoverInterval: Duration { get }

    /// Appends the rows of calls as ``EventJournal/append(_:)`` does, but for calls whose goals another machine has counted.
    /// - Returns: for each call the ids of its rows, in order, or `nil` if nothing of it was appended.
    func append(_ calls: [JournalCall]) throws -> [[Int64]?]

    /// Makes this journal the owner of up to `limit` rows whose owner has ended, and returns them under the ids that they
    /// have. ``EventJournal/events(after:limit:)`` does not. One call is made at a time; one that throws or is cancelled may have
    /// taken rows, which the next one returns.
    func takeOver(_ limit: Int) async throws -> [JournaledEvent]
}

/// The rows of one call that tracks.
package struct JournalCall: Sendable {
    /// The rows, one for each event, and a last one for what the call claims, if there is anything to remember of it.
    package let rows: [Data]
    /// Whose goals the call counts.
    package let visitor: String
    /// The goals that it counts, if it is the first.
    package let goals: [String]
    /// Whether it counts them in any case, because its events may be on their way.
    package let isReported: Bool

    package init(rows: [Data], visitor: String = "", goals: [String] = [], isReported: Bool = false) {
        self.rows = rows
        self.visitor = visitor
        self.goals = goals
        self.isReported = isReported
    }

    init(_ call: TrackedCall, isReported: Bool) {
        self.init(
            rows: call.rows, visitor: call.claim?.key.name ?? "", goals: call.claim?.claim.goals.map(\.name) ?? [],
            isReported: isReported)
    }
}

/// Rows that a journal gave, by what they are.
struct JournalPortion: Sendable {
    var events: [QueuedEvent] = []
    /// What calls claimed of visitors' records.
    var claims: [JournaledEvent] = []
    /// The ids of rows that are neither.
    var unreadable: [Int64] = []

    init(_ rows: [JournaledEvent]) {
        for row in rows {
            if JournalRow.isClaim(row.record) {
                claims.append(row)
            } else if case .event(let event) = JournalRow(row) {
                events.append(event)
            } else {
                unreadable.append(row.id)
            }
        }
    }
}
