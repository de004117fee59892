/// The program of the backtracking executor.
///
/// A class, so that an executor holds a single reference. Counting references to all of the program's arrays took as
/// long as a short match.
final class Program: Sendable {
    /// A quantified set or unit.
    struct Run: Sendable {
        var set: UInt32
        var minimum: Int
        var maximum: Int
        var isGreedy: Bool
        var isBackward: Bool
        /// Whether a failure of the code after the run may be recorded.
        var remembers = false
    }

    /// A counted repetition that would have too many copies.
    struct Loop: Sendable {
        var counter: UInt32
        /// Register of the iteration's start, if an iteration can be empty.
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
        var isBehind: Bool
        var isNegative: Bool
        /// Register of the stack's height at the lookaround's beginning.
        var height: UInt32
        /// The body's instructions. The last instruction is `endLook`.
        var body: Range<Int>
    }

    /// A back reference.
    struct Reference: Sendable {
        var groups: [Int]
        var ignoreCase: Bool
        /// Whether case is ignored by code points.
        var isUnicode: Bool
        var isBackward: Bool
    }

    let code: [Instruction]
    /// The instructions of the pattern itself, without the bodies of its lookarounds. The last instruction is `match`.
    let main: Range<Int>
    let runs: [Run]
    let loops: [Loop]
    /// The lookarounds by their numbers in the pattern; inner lookarounds have lower numbers.
    let lookarounds: [Lookaround]
    let references: [Reference]
    let sets: UnitSets
    /// The run at the beginning of every attempt, if the run has no maximum and the code after it depends only on the
    /// position.
    let leadingRun: Run?
    /// Number of registers: two for each group from 0 on, then counters and other state.
    let registerCount: Int
    let groupCount: Int

    /// The approximate size of the program in bytes.
    var footprint: Int {
        code.count * MemoryLayout<Instruction>.stride + loops.count * MemoryLayout<Loop>.stride + sets.footprint
    }

    init(
        code: [Instruction], main: Range<Int>, runs: [Run], loops: [Loop], lookarounds: [Lookaround],
        references: [Reference], sets: UnitSets, leadingRun: Run?, registerCount: Int, groupCount: Int
    ) {
        self.code = code
        self.main = main
        self.runs = runs
        self.loops = loops
        self.lookarounds = lookarounds
        self.references = references
        self.sets = sets
        self.leadingRun = leadingRun
        self.registerCount = registerCount
        self.groupCount = groupCount
    }
}
