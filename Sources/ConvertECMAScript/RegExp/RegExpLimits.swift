/// Every bound of the regular-expression engine. ECMA-262 has no such bounds, every engine does.
public enum RegExpLimits {
    /// The longest pattern, in UTF-16 code units.
    public static let patternLength = 1 << 21

    /// The most groups inside each other, of any kind. V8 stops between 10,000 and 12,000 capturing groups and lookaheads,
    /// and later for groups that do not capture.
    public static let nesting = 10_000

    /// The most classes inside each other, with the flag `v`. Their nesting takes no call stack.
    public static let classNesting = 200

    /// The most capturing groups, V8's number.
    public static let captures = 32_767

    /// What the classes of a pattern may cost while it is read: a range, a code unit or code point that has other cases, and
    /// more for each code point of a text with the flag `v`. About half a second, and some tens of megabytes.
    static let classWork = 1 << 26
    static let classWorkPerTextPoint = 40

    /// The most lookarounds that automata serve. A pattern of more goes to the backtracker.
    static let automatonLookarounds = 10_000

    /// Steps that the backtracker takes before it gives up, whatever the input.
    public static let steps = 10_000_000

    /// Steps that the backtracker takes before the linear matcher is asked.
    static let stepsBeforeLinear = 1 << 14

    /// Steps that the backtracker takes in addition for each byte of the input in UTF-8, so that a pattern that needs a
    /// few steps a unit never runs out of steps on a long input. It may still run out of `stackEntries`: a loop leaves one
    /// or two of them in each iteration. Where several tests share a budget, it pays for these steps as for the others.
    public static let stepsPerByte = 16

    /// Steps that the linear matcher takes to rule out a match of a pattern with back references, some tenths of a second,
    /// and how many more for each byte of the input.
    static let linearSteps = 100_000_000
    static let linearStepsPerByte = 2_048

    /// Entries of the backtracker's stack, 16 bytes each, before it gives up.
    static let stackEntries = 1 << 22

    /// Instructions to which copies of counted repetitions may add up before a counter takes their place.
    static let unrolledInstructions = 4_096

    /// Instructions of an automaton with counted repetitions written out, or twice the number of the pattern's nodes if that
    /// is more. A larger one is served by the backtracker.
    public static let automatonInstructions = 100_000

    /// Instructions of the linear matcher's program, or a few times the number of the pattern's nodes if that is more. It is
    /// longer than the automaton, because it has captures and does not merge alternatives. Where a match takes more, its
    /// captures come from the backtracker alone. For a pattern without an automaton the bound is an automaton's.
    public static let linearInstructions = 800_000

    /// Ranges of sets that a pattern's alternatives are merged from. Beyond them they stay alternatives.
    static let mergedRanges = 1 << 20

    /// Classes of units that an automaton tells apart; each is a column of its table. A pattern beyond it goes to the
    /// backtracker.
    static let unitClasses = 4_096

    /// Bits of the table of which sets contain which classes of units. A pattern beyond it goes to the backtracker.
    static let membershipBits = 1 << 24

    /// A repetition's maximum from which on the automaton takes it as unbounded. Inputs that are long enough to reach
    /// the maximum go to the backtracker.
    static let unboundedCount = 1 << 20

    /// Bytes of the tables of truths that one test may fill: a bit for each byte of the input and each lookaround that needs
    /// one. A test beyond it goes to the backtracker.
    public static let truthTableBytes = 1 << 28

    /// Bytes of one cache of automaton states before it is cleared, and what each instruction adds: a state can hold all
    /// of them, and some such states have to fit.
    static let cacheBytes = 1 << 18
    static let cacheBytesPerInstruction = 32

    /// Bytes that all patterns of a process together keep for later use, at most half of them for the programs that find
    /// captures. Beyond it a pattern whose cache grows gives it back after each call, and a program is compiled for each call
    /// that needs it, which costs time and changes no answer.
    public static let sharedCacheBytes = 1 << 25

    /// Caches that a pattern keeps for later use, at most one for each thread that matched at the same moment.
    static let pooledCaches = 8

    /// Entries of the backtracker's table of failures, 8 bytes each. A full table forgets, which costs steps only.
    static let failureEntries = 1 << 18
}
