/// A table for each lookaround, with one bit for each position: whether the body matches there.
struct TruthTables: Truths, Sendable {
    var visitsLeft = RegExpBudget.unlimited.visits
    private var words: [UInt64] = []
    /// The start of each lookaround's table; -1 for a lookaround without a table.
    private var starts: [Int]
    private var wordsPerTable = 0
    private let mostBytes: Int
    /// Whether a table was not added because all tables together would exceed the limit.
    private var isFull = false

    var hasGivenUp: Bool { isFull || visitsLeft < 0 }

    /// The number of words whose memory is kept for the next input.
    private static let keptWords = 1 << 10

    /// Creates an instance without tables, for this many lookarounds.
    ///
    /// - Parameter mostBytes: the maximum number of bytes for all tables together.
    init(lookarounds: Int, mostBytes: Int = RegExpLimits.truthTableBytes) {
        starts = [Int](repeating: -1, count: lookarounds)
        self.mostBytes = mostBytes
    }

    /// Prepares for an input of `count` bytes.
    mutating func prepare(count: Int) { wordsPerTable = count / 64 + 1 }

    /// Adds a table for lookaround number `look`, with `false` everywhere, unless there already is a table. Beyond the
    /// memory limit, gives up and returns `false`.
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

    /// The bytes that are kept for the next input.
    var heldBytes: Int { 8 * (words.capacity + starts.count) }

    /// Ends a test.
    mutating func removeAll() {
        isFull = false
        guard !words.isEmpty else { return }
        if words.capacity > Self.keptWords { words = [] } else { words.removeAll(keepingCapacity: true) }
        for look in starts.indices { starts[look] = -1 }
    }
}
