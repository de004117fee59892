/// Which processes have read what a ledger knows of which visitors.
struct Loads {
    private struct Key: Hashable {
        let owner: Int
        let visitor: String
    }

    private struct Entry {
        /// When the last read began that came to an end.
        var knownSince: Int64?
        /// When the last read began.
        var lastStart: Int64?
        /// When the last read was answered.
        var lastEnd: Int64?
        var underWay: Set<Int> = []
    }

    private var entries: [Key: Entry] = [:]
    private var lastNumber = 0
    private var starts: [Int: Int64] = [:]

    mutating func begin(_ visitor: String, by owner: Int) -> Int {
        lastNumber += 1
        starts[lastNumber] = World.current.time
        entries[Key(owner: owner, visitor: visitor), default: Entry()].underWay.insert(lastNumber)
        entries[Key(owner: owner, visitor: visitor)]?.lastStart = World.current.time
        return lastNumber
    }

    mutating func end(_ number: Int, _ visitor: String, by owner: Int, isKnown: Bool) {
        let key = Key(owner: owner, visitor: visitor)
        entries[key]?.underWay.remove(number)
        entries[key]?.lastEnd = World.current.time
        entries[key]?.knownSince = isKnown ? starts[number] : nil
        starts[number] = nil
    }

    /// Whether the process is reading the visitor's record, or may still be taking in the answer.
    func isUnderWay(_ visitor: String, by owner: Int) -> Bool {
        guard let entry = entries[Key(owner: owner, visitor: visitor)] else { return false }
        return !entry.underWay.isEmpty || World.current.time - (entry.lastEnd ?? .min / 2) < 100_000_000
    }

    /// Whether the process began to read the visitor's record at that time or later.
    func hasBegun(_ visitor: String, by owner: Int, since time: Int64) -> Bool {
        entries[Key(owner: owner, visitor: visitor)]?.lastStart.map { $0 >= time } ?? false
    }

    /// As of when the process knows what is stored of the visitor; `nil` if it may not know it.
    func knownSince(_ visitor: String, by owner: Int) -> Int64? {
        guard let entry = entries[Key(owner: owner, visitor: visitor)], entry.underWay.isEmpty else { return nil }
        return entry.knownSince
    }
}
