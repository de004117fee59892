/// For lookarounds a bit for each position: whether the body matches there.
struct TruthTables: Truths, Sendable {
    var visitsLeft = RegExpBudget.unlimited.visits
    private var words: [UInt64] = []
    /// Where each lookaround's table starts, -1 without one.
    private var starts: [Int]
    private var wordsPerTable = 0
    private let mostBytes: Int
    /// Whether a table would have taken more memory than all may take.
    private var isFull = false

    var hasGivenUp: Bool { isFull || visitsLeft < 0 }

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

    /// Adds a table for lookaround number `look`, false everywhere, if it has none. Returns `false`, and gives up, beyond
    /// the memory that tables may take.
    mutating func addTable(for look: Int) -> Bool {
        guard starts[look] < 0 else { return true }
        isFull = 8 * (words.count + wordsPerTable) > mostBytes
        guard !isFull else { return false }
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

    /// Bytes that are kept for the next input.
    var heldBytes: Int { 8 * (words.capacity + starts.count) }

    /// Ends a test.
    mutating func removeAll() {
        isFull = false
        guard !words.isEmpty else { return }
        if words.capacity > Self.keptWords { words = [] } else { words.removeAll(keepingCapacity: true) }
        for look in starts.indices { starts[look] = -1 }
    }
}
