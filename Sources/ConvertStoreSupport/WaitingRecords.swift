package import ConvertMobileRules

/// Records of an event history that are not in its database yet, in order, and what came of those that are.
package struct WaitingRecords {
    package struct Entry {
        package let ticket: Int
        package let fingerprint: EventFingerprint
        package let time: Int64
        package let onlyIfNew: Bool
    }

    /// Records that one transaction takes.
    package static let portion = 256

    package private(set) var entries: [Entry] = []
    /// How often each time of an event waits which the database does not have: they count besides what the database
    /// has.
    private var counted: [EventFingerprint: [Int64: Int]] = [:]
    /// Whether somebody tries to write them from time to time.
    package var isRetrying = false
    /// Whether it was reported that records wait.
    package var isReported = false
    /// Outcomes that a caller will ask for.
    private var outcomes: [Int: Bool] = [:]
    /// Tickets whose outcome no caller will ask for.
    private var abandoned: Set<Int> = []
    private var lastTicket = 0

    package init() {}

    package mutating func add(_ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool) -> Int {
        lastTicket += 1
        entries.append(Entry(ticket: lastTicket, fingerprint: fingerprint, time: time, onlyIfNew: onlyIfNew))
        return lastTicket
    }

    package func isWaiting(_ ticket: Int) -> Bool { entries.contains { $0.ticket == ticket } }

    /// Takes note that the database does not have the record that waits under `ticket`.
    package mutating func count(_ ticket: Int) {
        // It was added just now, as likely as not.
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

    /// The times at which the event happened within `window` and that the database does not have, each once.
    package func times(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) -> [Int64] {
        counted[fingerprint]?.keys.filter { window.contains($0) } ?? []
    }

    package mutating func takeOutcome(of ticket: Int) -> Bool? { outcomes.removeValue(forKey: ticket) }

    /// `written` are in the database now, or were known there.
    package mutating func finish(_ written: [Entry], with results: [Bool]) {
        let tickets = Set(written.map(\.ticket))
        // Some may have been withdrawn meanwhile; no caller asks for their outcome.
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

    /// Number of outcomes that were not asked for.
    package var outcomeCount: Int { outcomes.count }

    /// No caller will ask about the record. A record that depends on being new is removed and returned.
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
