/// A nondeterministic automaton: what a pattern without back references, or the body of one of its lookarounds, accepts,
/// without captures and preferences. The lazy DFA runs it.
final class Automaton: Sendable {
    /// One instruction; consuming ones, assertions and looks go on at the next one.
    enum Instruction: Sendable, Equatable {
        /// Consumes a unit of `sets[index]`.
        case set(UInt32)
        case assertion(PatternTree.Assertion)
        /// Passes where the body of `looks[index]` matches, or does not if it is negative.
        case look(UInt32, isNegative: Bool)
        /// Goes on at both; the first is always the next instruction.
        case split(UInt32, UInt32)
        case jump(UInt32)
        case match
    }

    /// What stands beside a position, as far as assertions want to know.
    enum Context: UInt8, Sendable, CaseIterable {
        /// Nothing: an end of the input.
        case edge
        case lineTerminator, word, other
        /// U+017F or U+212A, where an assertion asks for them.
        case foldedWord
        /// The first half of a surrogate pair, where an assertion asks for that.
        case lead
    }

    /// What a run of the automaton finds out.
    enum Purpose: Sendable {
        /// Whether there is a match that begins where the run does.
        case anchoredTest
        /// Whether there is a match anywhere.
        case test
        /// At which positions a match ends. The automaton of a lookahead runs backward, where that is the match's start.
        case table
    }

    let code: [Instruction]
    let classes: UnitClasses
    let purpose: Purpose
    /// Whether a match may start only where the run does.
    var isAnchored: Bool { purpose == .anchoredTest }
    /// Whether there is any assertion or look to decide.
    let hasAssertions: Bool
    /// The lookarounds that the instructions ask, by their number in the pattern.
    let looks: [Int]
    /// For each instruction the looks, as bits, that can be asked at its position. Every bit is set where the looks are
    /// too many for bits. Empty without looks.
    let reachableLooks: [UInt64]

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

    /// The column of a row in which a state that asks looks has the number of its mask.
    var maskColumn: Int { columnCount - 1 }
}

extension Automaton {
    /// The instructions of an automaton, and the lookarounds that they ask.
    struct Code: Sendable {
        var instructions: [Instruction] = []
        var looks: [Int] = []

        /// Rounds after which nested loops are taken to reach everything.
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
