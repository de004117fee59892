/// For lookarounds a bit for each position: whether the body matches there.
struct TruthTables: Truths, Sendable {
    private var words: [UInt64] = []
    /// Where each lookaround's table starts, -1 without one.
    private var starts: [Int]
    private var wordsPerTable = 0
    private let mostBytes: Int
    let hasGivenUp = false

    /// Words whose memory is kept for the next input.
    private static let keptWords = 1 << 10

    /// No table yet, for `lookarounds` lookarounds.
    ///
    /// - Parameter mostBytes: what all tables together may take.
    init(lookarounds: Int, mostBytes: Int = RegExpLimits.truthTableBytes) {
        starts = [Int](repeating: -1, count: lookarounds)
        self.mostBytes = mostBytes
    }

    /// Makes ready for an input of `count` bytes.
    mutating func prepare(count: Int) { wordsPerTable = count / 64 + 1 }

    /// Adds a table for lookaround number `look`, false everywhere, if it has none. Returns `false` beyond the memory that
    /// tables may take.
    mutating func addTable(for look: Int) -> Bool {
        guard starts[look] < 0 else { return true }
        guard 8 * (words.count + wordsPerTable) <= mostBytes else { return false }
        starts[look] = words.count
        words.append(contentsOf: repeatElement(0, count: wordsPerTable))
        return true
    }

    @inline(__always)
    mutating func set(_ look: Int, at position: Int) {
        words[starts[look] + position >> 6] |= 1 << UInt64(position & 63)
    }

    @inline(__always)
    func holds(_ look: Int, at position: Int) -> Bool {
        words[starts[look] + position >> 6] >> UInt64(position & 63) & 1 != 0
    }

    /// Ends a test.
    mutating func removeAll() {
        guard !words.isEmpty else { return }
        if words.capacity > Self.keptWords { words = [] } else { words.removeAll(keepingCapacity: true) }
        for look in starts.indices { starts[look] = -1 }
    }
}
