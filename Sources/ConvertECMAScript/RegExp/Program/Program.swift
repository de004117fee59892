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
