/// A nondeterministic automaton: what a pattern without back references and lookarounds accepts, told without captures
/// and preferences. The lazy DFA runs it.
final class Automaton: Sendable {
    /// One instruction; consuming ones and assertions go on at the next one.
    enum Instruction: Sendable, Equatable {
        /// Consumes a unit of `sets[index]`.
        case set(UInt32)
        case assertion(PatternTree.Assertion)
        /// Goes on at both; the first is always the next instruction.
        case split(UInt32, UInt32)
        case jump(UInt32)
        case match
    }

    /// What stands beside a position, as far as assertions want to know.
    enum Context: UInt8, Sendable {
        /// Nothing: an end of the input.
        case edge
        case lineTerminator, word, other
    }

    let code: [Instruction]
    let classes: UnitClasses
    /// Whether a match may start at 0 only.
    let isAnchored: Bool
    /// Whether there is any assertion to decide.
    let hasAssertions: Bool
    /// Inputs longer than this need exact counting, which the automaton has given up.
    let longestInput: Int

    /// What every match begins with, apart from optional pieces that a test can leave out.
    let prefix: UnitLiteral
    /// Whether it is worth a search: one unit alone is found too often.
    let searchesPrefix: Bool
    /// What every match contains. It is searched for before the machine starts, if it is ASCII.
    let required: UnitLiteral
    /// Whether that is worth it: an anchored automaton is soon dead where nothing can match, and a prefix rules out as
    /// much.
    let searchesRequired: Bool

    /// The columns of a row of transitions: the classes, then these.
    let endColumn: Int
    let foreignColumn: Int
    let columnCount: Int

    init(
        code: [Instruction], classes: UnitClasses, isAnchored: Bool, hasAssertions: Bool, longestInput: Int,
        prefix: UnitLiteral, required: UnitLiteral
    ) {
        self.code = code
        self.classes = classes
        self.isAnchored = isAnchored
        self.hasAssertions = hasAssertions
        self.longestInput = longestInput
        self.prefix = prefix
        searchesPrefix = prefix.count > 1
        self.required = required
        searchesRequired = required.count > 0 && required.isASCII && !isAnchored && !searchesPrefix
        endColumn = classes.count
        foreignColumn = classes.count + 1
        columnCount = classes.count + 2
    }
}
