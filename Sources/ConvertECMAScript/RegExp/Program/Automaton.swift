/// A nondeterministic automaton: what a pattern without back references and lookarounds accepts, told without captures
/// and preferences. The lazy DFA runs it.
struct Automaton: Sendable {
    /// One instruction; consuming ones and assertions go on at the next one.
    enum Instruction: Sendable, Equatable {
        /// Consumes a unit of `sets[index]`.
        case set(UInt32)
        case assertion(PatternTree.Assertion)
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

    var code: [Instruction]
    var classes: UnitClasses
    /// Whether a match may start at 0 only.
    var isAnchored: Bool
    /// Whether there is any assertion to decide.
    var hasAssertions: Bool
    /// Inputs longer than this need exact counting, which the automaton has given up.
    var longestInput: Int

    /// The columns of a row of transitions: the classes, then these.
    var endColumn: Int { classes.count }
    var foreignColumn: Int { classes.count + 1 }
    var columnCount: Int { classes.count + 2 }
}
