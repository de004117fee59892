/// A nondeterministic automaton, which the lazy DFA runs. It accepts the texts that a pattern without back references,
/// or the body of one of its lookarounds, matches. It has no captures and no preferences.
final class Automaton: Sendable {
    /// One instruction. Consuming instructions, assertions and looks continue at the next instruction.
    enum Instruction: Sendable, Equatable {
        /// Consumes a unit of `sets[index]`.
        case set(UInt32)
        case assertion(PatternTree.Assertion)
        /// Passes if the body of `looks[index]` matches or, for a negative look, if it does not match.
        case look(UInt32, isNegative: Bool)
        /// Continues at both targets; the first is always the next instruction.
        case split(UInt32, UInt32)
        case jump(UInt32)
        case match
    }

    /// The properties of a position's neighbour that assertions check.
    enum Context: UInt8, Sendable, CaseIterable {
        /// The start or the end of the input.
        case edge
        case lineTerminator, word, other
        /// U+017F or U+212A, if an assertion distinguishes them.
        case foldedWord
        /// The first half of a surrogate pair, if an assertion distinguishes it.
        case lead
    }

    /// The question that a run of the automaton answers.
    enum Purpose: Sendable {
        /// Whether a match begins where the run begins.
        case anchoredTest
        /// Whether there is a match anywhere.
        case test
        /// The positions at which a match ends. A lookahead's automaton runs backward, so these are the positions at
        /// which the lookahead's body begins to match.
        case table
    }

    let code: [Instruction]
    let classes: UnitClasses
    let purpose: Purpose
    /// Whether a match can begin only where the run begins.
    var isAnchored: Bool { purpose == .anchoredTest }
    /// Whether there is any assertion or look to decide.
    let hasAssertions: Bool
    /// The lookarounds that the instructions ask, by their numbers in the pattern.
    let looks: [Int]
    /// For each instruction a bit mask of the looks that can be asked at its position. All bits are set if there are
    /// too many looks for the mask. Empty without looks.
    let reachableLooks: [UInt64]

    /// The text with which every match begins, apart from optional parts that a test can skip.
    let prefix: UnitLiteral
    /// Whether a search for the prefix is worthwhile. A single unit is found too often.
    let searchesPrefix: Bool
    /// A text that every match contains. If it is ASCII, it is searched for before the automaton runs.
    let required: UnitLiteral
    /// Whether a search for the required text is worthwhile. An anchored automaton soon stops if nothing can match, and
    /// a search for a prefix excludes as many inputs.
    let searchesRequired: Bool

    /// The columns of a row of transitions: one for each class, then the column for the input's end, the column for
    /// bytes that are not ASCII, and with looks the column of the mask.
    let endColumn: Int
    let foreignColumn: Int
    let columnCount: Int

    init(
        code: Code, classes: UnitClasses, purpose: Purpose, hasAssertions: Bool,
        prefix: UnitLiteral = UnitLiteral(), required: UnitLiteral = UnitLiteral()
    ) {
        self.code = code.instructions
        self.classes = classes
        self.purpose = purpose
        self.hasAssertions = hasAssertions
        looks = code.looks
        reachableLooks = code.looks.isEmpty ? [] : code.reachableLooks
        self.prefix = prefix
        searchesPrefix = prefix.count > 1
        self.required = required
        searchesRequired = required.count > 0 && required.isASCII && purpose == .test && !searchesPrefix
        endColumn = classes.count
        foreignColumn = classes.count + 1
        columnCount = classes.count + (code.looks.isEmpty ? 2 : 3)
    }

    /// The column with the index of a state's mask, for states that ask looks.
    var maskColumn: Int { columnCount - 1 }
}

extension Automaton {
    /// The instructions of an automaton, and the lookarounds that they ask.
    struct Code: Sendable {
        var instructions: [Instruction] = []
        var looks: [Int] = []

        /// After this many rounds, nested loops are assumed to reach everything.
        private static let rounds = 8

        /// For each instruction the looks that it leads to without consuming.
        var reachableLooks: [UInt64] {
            let all = [UInt64](repeating: .max, count: instructions.count)
            guard looks.count <= 64 else { return all }
            var masks = [UInt64](repeating: 0, count: instructions.count)
            for _ in 0..<Self.rounds {
                var isStable = true
                for index in instructions.indices.reversed() {
                    let mask: UInt64
                    switch instructions[index] {
                    case .set, .match: mask = 0
                    case .assertion: mask = masks[index + 1]
                    case .look(let look, _): mask = masks[index + 1] | 1 << UInt64(look)
                    case .jump(let target): mask = masks[Int(target)]
                    case .split(let first, let second): mask = masks[Int(first)] | masks[Int(second)]
                    }
                    if mask != masks[index] {
                        masks[index] = mask
                        isStable = false
                    }
                }
                if isStable { return masks }
            }
            return all
        }
    }
}
