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
        for event in events { rows.append(JournalRow.bytes(of: event)) }
        if let row = claim.flatMap({ JournalRow.bytes(of: $0) }) { rows.append(row) }
        self.rows = rows
    }
}

/// Calls that wait for the journal, in order, and the claims' rows of those whose turn has come.
struct TrackingLine: Sendable {
    private var waiting: [(ticket: Int, call: TrackedCall)] = []
    private var rows: [Int: Int64?] = [:]
    private var lastTicket = 0

    /// Number of calls that wait.
    var count: Int { waiting.count }

    mutating func add(_ call: TrackedCall) -> Int {
        lastTicket += 1
        waiting.append((lastTicket, call))
        return lastTicket
    }

    mutating func takeWaiting() -> (tickets: [Int], calls: [TrackedCall]) {
        if waiting.isEmpty { return ([], []) }
        defer { waiting = [] }
        return (waiting.map(\.ticket), waiting.map(\.call))
    }

    mutating func finish(_ tickets: [Int], with rows: [Int64?]) {
        for (ticket, row) in zip(tickets, rows) { self.rows[ticket] = .some(row) }
    }

    mutating func takeRow(of ticket: Int) -> Int64? { rows.removeValue(forKey: ticket) ?? nil }
}
