/// Compiles the automata of a pattern without back references: the main automaton, and the automata of its lookarounds.
struct AutomatonCompiler {
    /// Why a pattern has no automaton.
    enum Obstacle: Error, Sendable, Equatable {
        case backReference, tooLarge
    }

    /// Code that becomes an automaton when all sets are known.
    private struct LookaroundCode {
        var table: Automaton.Code
        var direct: Automaton.Code?
    }

    private let tree: PatternTree
    private let analysis: PatternAnalysis
    private let isAnchored: Bool
    private var numbering = SetNumbering()
    /// Whether a lookaround, by number, is compiled as part of the surrounding text.
    private var inlined: [Bool]
    private var remaining: Int

    /// Compiles the automata of `tree`, or returns why there are no automata.
    ///
    /// - Parameter prefilter: the pattern's prefilter, which knows whether a match can begin only at 0.
    static func compile(
        _ tree: PatternTree, _ analysis: PatternAnalysis, _ prefilter: Prefilter
    ) -> Result<AutomatonSet, Obstacle> {
        guard !analysis[tree.root].hasReferences else { return .failure(.backReference) }
        guard tree.lookarounds.count <= RegExpLimits.automatonLookarounds else { return .failure(.tooLarge) }
        // The limit never rejects text that the pattern writes out itself, because only counts multiply instructions.
        let limit = max(RegExpLimits.automatonInstructions, 2 * tree.nodes.count)
        // Alternatives with the same beginning share instructions, so this estimate may be far too high.
        guard AutomatonSize.size(of: tree, analysis) <= 4 * limit else { return .failure(.tooLarge) }
        var compiler = AutomatonCompiler(tree, analysis, isAnchored: prefilter.isAnchored, limit: limit)
        return compiler.run().map(Result.success) ?? .failure(.tooLarge)
    }

    private init(_ tree: PatternTree, _ analysis: PatternAnalysis, isAnchored: Bool, limit: Int) {
        self.tree = tree
        self.analysis = analysis
        self.isAnchored = isAnchored
        inlined = [Bool](repeating: false, count: tree.lookarounds.count)
        remaining = limit
    }

    private mutating func run() -> AutomatonSet? {
        let top = isAnchored ? [tree.root] : withoutLeadingOptions(tree.root)
        InlinedLookarounds.markTrailing(tree.root, in: tree, &inlined)
        if !isAnchored, let first = top.first { InlinedLookarounds.markLeading(first, in: tree, &inlined) }
        guard let main = code(of: top, isBackward: false) else { return nil }
        guard let lookarounds = compileLookarounds(of: main) else { return nil }
        guard let classes = UnitClasses(numbering.sets, contexts: numbering.contexts) else {
            return nil
        }
        let literals = PrefilterCompiler(tree: tree, analysis: analysis, inlined: inlined)
        var prefix = isAnchored ? UnitLiteral() : literals.prefix(of: top)
        prefix.formASCIIPrefix()
        return AutomatonSet(
            main: Automaton(
                code: main, classes: classes, purpose: isAnchored ? .anchoredTest : .test,
                hasAssertions: analysis[tree.root].hasAssertions, prefix: prefix,
                required: literals.required(of: tree.root)),
            lookarounds: lookarounds.enumerated().map { index, code in
                code.map { automata(index, $0, classes, literals) }
            },
            longestInput: tree.longestUncountedInput)
    }

    /// The code of every lookaround that `main` needs, from the outside in; `nil` if it is too large.
    private mutating func compileLookarounds(of main: Automaton.Code) -> [LookaroundCode?]? {
        var result = [LookaroundCode?](repeating: nil, count: tree.lookarounds.count)
        var isNeeded = [Bool](repeating: false, count: tree.lookarounds.count)
        for look in main.looks { isNeeded[look] = true }
        // An inner lookaround has a lower number.
        for index in isNeeded.indices.reversed() where isNeeded[index] {
            let lookaround = tree.lookarounds[index]
            if lookaround.isBehind {
                InlinedLookarounds.markLeading(lookaround.body, in: tree, &inlined)
            } else {
                InlinedLookarounds.markTrailing(lookaround.body, in: tree, &inlined)
            }
            guard let table = code(of: [lookaround.body], isBackward: !lookaround.isBehind) else { return nil }
            for look in table.looks { isNeeded[look] = true }
            var direct: Automaton.Code?
            if !lookaround.isBehind, table.looks.isEmpty {
                guard let code = code(of: [lookaround.body], isBackward: false) else { return nil }
                direct = code
            }
            result[index] = LookaroundCode(table: table, direct: direct)
        }
        return result
    }

    private func automata(
        _ index: Int, _ code: LookaroundCode, _ classes: UnitClasses, _ literals: PrefilterCompiler
    ) -> LookaroundAutomata {
        let lookaround = tree.lookarounds[index]
        let hasAssertions = analysis[lookaround.body].hasAssertions
        return LookaroundAutomata(
            number: index, isBehind: lookaround.isBehind,
            table: Automaton(code: code.table, classes: classes, purpose: .table, hasAssertions: hasAssertions),
            direct: code.direct.map {
                Automaton(
                    code: $0, classes: classes, purpose: .anchoredTest, hasAssertions: hasAssertions,
                    required: literals.required(of: lookaround.body))
            },
            firstInside: lookaround.firstInside)
    }

    private mutating func code(of top: [PatternTree.NodeIndex], isBackward: Bool) -> Automaton.Code? {
        let code = AutomatonCodeCompiler.compile(
            top, in: tree, analysis, inlined: inlined, isBackward: isBackward, numbering: &numbering, limit: remaining)
        remaining -= code?.instructions.count ?? 0
        return code
    }

    /// The terms of `root`, beginning with the first term that is not optional. If a search can start anywhere, `x*y`
    /// occurs wherever `y` occurs.
    private func withoutLeadingOptions(_ root: PatternTree.NodeIndex) -> [PatternTree.NodeIndex] {
        guard case .sequence(let start, let end) = tree[root] else { return [root] }
        return Array(
            tree.children[Int(start)..<Int(end)].drop { child in
                guard case .repetition(let index) = tree[child] else { return false }
                return tree.repetitions[Int(index)].minimum == 0
            })
    }
}
