package import ConvertMobileRules

/// An event history's records that are not in its database yet, in order, and the outcomes of the records that are.
package struct WaitingRecords {
    package struct Entry {
        package let ticket: Int
        package let fingerprint: EventFingerprint
        package let time: Int64
        package let onlyIfNew: Bool
    }

    /// The maximum number of records in one transaction.
    package static let portion = 256

    package private(set) var entries: [Entry] = []
    /// The number of waiting records for each time of an event, of the records that look-ups must count in addition to
    /// the database's.
    private var counted: [EventFingerprint: [Int64: Int]] = [:]
    /// Whether a retry is scheduled.
    package var isRetrying = false
    /// Whether the app was informed that records wait.
    package var isReported = false
    /// Outcomes that a caller will take.
    private var outcomes: [Int: Bool] = [:]
    /// Tickets whose outcome no caller will take.
    private var abandoned: Set<Int> = []
    private var lastTicket = 0

    package init() {}

    package mutating func add(_ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool) -> Int {
        lastTicket += 1
        entries.append(Entry(ticket: lastTicket, fingerprint: fingerprint, time: time, onlyIfNew: onlyIfNew))
        return lastTicket
    }

    package func isWaiting(_ ticket: Int) -> Bool { entries.contains { $0.ticket == ticket } }

    /// Makes the record count in look-ups, because the database does not have it.
    package mutating func count(_ ticket: Int) {
        // Usually the record was just added.
        guard let entry = entries.last(where: { $0.ticket == ticket }) else { return }
        counted[entry.fingerprint, default: [:]][entry.time, default: 0] += 1
    }

    private mutating func uncount(_ removed: some Sequence<Entry>) {
        for entry in removed {
            guard let count = counted[entry.fingerprint]?[entry.time] else { continue }
            counted[entry.fingerprint]?[entry.time] = count > 1 ? count - 1 : nil
            if counted[entry.fingerprint]?.isEmpty ?? false { counted[entry.fingerprint] = nil }
        }
    }

    /// The times within `window` at which the event happened and that the database does not have, without duplicates.
    package func times(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) -> [Int64] {
        counted[fingerprint]?.keys.filter { window.contains($0) } ?? []
    }

    package mutating func takeOutcome(of ticket: Int) -> Bool? { outcomes.removeValue(forKey: ticket) }

    /// Removes written records from the waiting ones, and stores their outcomes.
    package mutating func finish(_ written: [Entry], with results: [Bool]) {
        let tickets = Set(written.map(\.ticket))
        // Some may have been withdrawn meanwhile; no caller takes their outcome.
        var finished: Set<Int> = []
        entries.removeAll { tickets.contains($0.ticket) && finished.insert($0.ticket).inserted }
        uncount(written.filter { finished.contains($0.ticket) })
        for (entry, result) in zip(written, results)
        where abandoned.remove(entry.ticket) == nil && finished.contains(entry.ticket) {
            outcomes[entry.ticket] = result
        }
    }

    package mutating func withdraw(_ ticket: Int) {
        uncount(entries.filter { $0.ticket == ticket })
        entries.removeAll { $0.ticket == ticket }
    }

    /// The number of outcomes that no caller has taken.
    package var outcomeCount: Int { outcomes.count }

    /// Called when no caller will take the record's outcome. Removes and returns a record with `onlyIfNew`; others
    /// stay.
    @discardableResult
    package mutating func giveUp(_ ticket: Int) -> Entry? {
        guard let entry = entries.first(where: { $0.ticket == ticket }) else { return nil }
        guard entry.onlyIfNew else {
            abandoned.insert(ticket)
            return nil
        }
        withdraw(ticket)
        return entry
    }

    package mutating func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) {
        let removed = entries.filter { $0.fingerprint == fingerprint && window.contains($0.time) }
        finish(removed, with: removed.map { _ in true })
    }
}
