/// What the backtracking executor runs.
struct Program: Sendable {
    /// A quantified set or unit.
    struct Run: Sendable {
        var set: UInt32
        var minimum: Int
        var maximum: Int
        var isGreedy: Bool
        var isBackward: Bool
        /// Whether a failure of what follows may be recorded.
        var remembers = false
    }

    /// A counted repetition whose copies would be too many.
    struct Loop: Sendable {
        var counter: UInt32
        /// Register of the iteration's start, where an iteration can be empty.
        var start: UInt32?
        var minimum: Int
        var maximum: Int
        var isGreedy: Bool
        var groups: Range<Int>
        var head: UInt32
        var body: UInt32
        var exit: UInt32
    }

    /// A lookahead or lookbehind.
    struct Lookaround: Sendable {
        var isNegative: Bool
        /// Register of the stack's height at its beginning.
        var height: UInt32
        /// Where to go on.
        var exit: UInt32
    }

    /// A back reference.
    struct Reference: Sendable {
        var groups: [Int]
        var ignoreCase: Bool
        var isBackward: Bool
    }

    var code: [Instruction] = []
    var runs: [Run] = []
    var loops: [Loop] = []
    var lookarounds: [Lookaround] = []
    var references: [Reference] = []
    var sets = UnitSets([])
    /// Captures, two for each group from 0 on, then counters and the like.
    var registerCount = 0
    var groupCount = 0
}

/// Sets of units, laid out for look-ups.
struct UnitSets: Sendable {
    /// Two words for each set: its units below 128.
    private var lowBits: [UInt64] = []
    /// The bounds of all sets, and where each set's start.
    private var bounds: [UInt16] = []
    private var starts: [UInt32] = [0]

    init(_ sets: [CharacterSet]) {
        for set in sets {
            var words: (UInt64, UInt64) = (0, 0)
            for range in set.ranges where range.lowerBound < 128 {
                for unit in range.lowerBound...min(range.upperBound, 127) {
                    if unit < 64 { words.0 |= 1 << UInt64(unit) } else { words.1 |= 1 << UInt64(unit - 64) }
                }
            }
            lowBits += [words.0, words.1]
            bounds += set.bounds
            starts.append(UInt32(bounds.count))
        }
    }

    @inline(__always)
    func contains(_ unit: UInt16, in set: UInt32) -> Bool {
        if unit < 128 { return lowBits[Int(set) << 1 | Int(unit) >> 6] >> UInt64(unit & 63) & 1 != 0 }
        return containsHigh(unit, in: set)
    }

    private func containsHigh(_ unit: UInt16, in set: UInt32) -> Bool {
        var low = Int(starts[Int(set)]) / 2
        let end = Int(starts[Int(set) + 1]) / 2
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if unit > bounds[2 * middle + 1] { low = middle + 1 } else { high = middle }
        }
        return low < end && bounds[2 * low] <= unit
    }
}
