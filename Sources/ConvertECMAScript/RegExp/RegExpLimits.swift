/// All limits of the regular-expression engine. ECMA-262 has no limits, but every engine has.
public enum RegExpLimits {
    /// The longest pattern, in UTF-16 code units.
    public static let patternLength = 1 << 21

    /// The maximum nesting depth of groups of any kind. V8's limit is between 10,000 and 12,000 for capturing groups
    /// and lookaheads, and higher for groups that do not capture.
    public static let nesting = 10_000

    /// The maximum nesting depth of classes, with the flag `v`. Their nesting takes no call stack.
    public static let classNesting = 200

    /// The maximum number of capturing groups, as in V8.
    public static let captures = 32_767

    /// The maximum cost of a pattern's classes while it is parsed. A range, or a code unit or code point with other
    /// cases, costs 1. Code points of texts with the flag `v` cost ``classWorkPerTextPoint``. The limit is about half a
    /// second, and some tens of megabytes.
    static let classWork = 1 << 26
    static let classWorkPerTextPoint = 40

    /// The maximum number of lookarounds for automata. A pattern with more uses the backtracker.
    static let automatonLookarounds = 10_000

    /// The steps that the backtracker may take for any input.
    public static let steps = 10_000_000

    /// The steps of the backtracker before the linear matcher is used.
    static let stepsBeforeLinear = 1 << 14

    /// Additional steps of the backtracker for each byte of the input in UTF-8. A pattern that needs a few steps for
    /// each unit therefore never runs out of steps on a long input. It may still exceed `stackEntries`, because a loop
    /// adds one or two entries in each iteration. A budget that several tests share pays for these steps too.
    public static let stepsPerByte = 16

    /// The steps of the linear matcher for excluding a match of a pattern with back references: some tenths of a
    /// second. ``linearStepsPerByte`` are the additional steps for each byte of the input.
    static let linearSteps = 100_000_000
    static let linearStepsPerByte = 2_048

    /// The maximum number of entries on the backtracker's stack, 16 bytes each.
    static let stackEntries = 1 << 22

    /// The instructions that copies of counted repetitions may add before a counter is used instead.
    static let unrolledInstructions = 4_096

    /// The maximum size of an automaton in instructions, with counted repetitions written out, or twice the number of
    /// the pattern's nodes if that is more. A larger pattern uses the backtracker.
    public static let automatonInstructions = 100_000

    /// The maximum size of the linear matcher's program in instructions, or a few times the number of the pattern's
    /// nodes if that is more. The program is larger than the automaton, because it has captures and does not merge
    /// alternatives. Beyond the limit, only the backtracker finds captures. For a pattern without an automaton, the
    /// automaton's limit applies.
    public static let linearInstructions = 800_000

    /// The number of ranges that a pattern's alternatives may merge into sets. Further alternatives are not merged.
    static let mergedRanges = 1 << 20

    /// The maximum number of unit classes in an automaton; each is a column of its table. A pattern with more uses the
    /// backtracker.
    static let unitClasses = 4_096

    /// The maximum size in bits of the table of sets and the classes they contain. A larger pattern uses the
    /// backtracker.
    static let membershipBits = 1 << 24

    /// From this maximum on, the automaton treats a repetition as unbounded. Inputs that are long enough to reach the
    /// maximum use the backtracker.
    static let unboundedCount = 1 << 20

    /// The maximum number of bytes in the tables of lookarounds for one test: one bit for each byte of the input and
    /// each lookaround that needs a table. A test that needs more uses the backtracker.
    public static let truthTableBytes = 1 << 28

    /// The bytes of one cache of automaton states before it is cleared. ``cacheBytesPerInstruction`` are added for each
    /// instruction, because a state can hold all instructions, and several such states must fit.
    static let cacheBytes = 1 << 18
    static let cacheBytesPerInstruction = 32

    /// The bytes that all patterns of a process together keep for later use. Programs that find captures take at most
    /// half of them. Beyond the limit, a pattern whose cache grows releases it after each call, and a program is
    /// compiled for each call that needs it. That takes time, but never changes an answer.
    public static let sharedCacheBytes = 1 << 25

    /// The maximum number of caches that a pattern keeps, at most one for each thread that matched at the same time.
    static let pooledCaches = 8

    /// The maximum number of entries in the backtracker's table of failures, 8 bytes each. A full table evicts entries,
    /// which only costs steps.
    static let failureEntries = 1 << 18
}
