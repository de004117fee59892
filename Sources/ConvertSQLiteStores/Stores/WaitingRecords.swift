import ConvertMobileRules

/// Records of an event history that are not in the file yet, in order, and what came of those that are.
struct WaitingRecords {
    struct Entry {
        let ticket: Int
        let fingerprint: EventFingerprint
        let time: Int64
        let onlyIfNew: Bool
    }

    /// Records that one transaction takes.
    static let portion = 256

    private(set) var entries: [Entry] = []
    /// Whether somebody tries to write them from time to time.
    var isRetrying = false
    /// Whether it was reported that records wait.
    var isReported = false
    /// For those who will ask.
    private var outcomes: [Int: Bool] = [:]
    /// Those nobody will ask about.
    private var abandoned: Set<Int> = []
    private var lastTicket = 0

    mutating func add(_ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool) -> Int {
        lastTicket += 1
        entries.append(Entry(ticket: lastTicket, fingerprint: fingerprint, time: time, onlyIfNew: onlyIfNew))
        return lastTicket
    }

    func isWaiting(_ ticket: Int) -> Bool { entries.contains { $0.ticket == ticket } }

    /// The times at which the event happened within `window`, each once.
    func times(of fingerprint: EventFingerprint, in window: ClosedRange<Int64>) -> Set<Int64> {
        if entries.isEmpty { return [] }
        return Set(entries.lazy.filter { $0.fingerprint == fingerprint && window.contains($0.time) }.map(\.time))
    }

    mutating func takeOutcome(of ticket: Int) -> Bool? { outcomes.removeValue(forKey: ticket) }

    /// `written` are in the file now, or were known there.
    mutating func finish(_ written: [Entry], with results: [Bool]) {
        let tickets = Set(written.map(\.ticket))
        entries.removeAll { tickets.contains($0.ticket) }
        for (entry, result) in zip(written, results) where abandoned.remove(entry.ticket) == nil {
            outcomes[entry.ticket] = result
        }
    }

    mutating func withdraw(_ ticket: Int) { entries.removeAll { $0.ticket == ticket } }

    /// Nobody will ask about the record. One that depends on being new is not made any more.
    mutating func giveUp(_ ticket: Int) {
        guard let entry = entries.first(where: { $0.ticket == ticket }) else { return }
        if entry.onlyIfNew { withdraw(ticket) } else { abandoned.insert(ticket) }
    }

    mutating func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) {
        let removed = entries.filter { $0.fingerprint == fingerprint && window.contains($0.time) }
        finish(removed, with: removed.map { _ in true })
    }
}
