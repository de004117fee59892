/// Everything that a pattern is compiled to, and the choice of the executor that serves a call.
final class CompiledRegExp: Sendable {
    let pattern: String
    let flags: RegExpFlags
    let names: [PatternTree.NamedGroups]
    /// The automaton, or why there is none.
    let automaton: Result<Automaton, AutomatonCompiler.Obstacle>
    private let program: Program
    private let prefilter: Prefilter
    private let automata = ScratchPool<LazyDFA>()
    private let backtrackers = ScratchPool<BacktrackerScratch>()

    init(_ pattern: String, flags: RegExpFlags) throws(RegExpSyntaxError) {
        let tree = try PatternParser.parse(Array(pattern.utf16), flags: flags)
        let analysis = PatternAnalysis(tree)
        let isSticky = flags.contains(.sticky)
        self.pattern = pattern
        self.flags = flags
        names = tree.names
        program = ProgramCompiler.compile(tree, analysis)
        prefilter = PrefilterCompiler.compile(tree, analysis, isSticky: isSticky)
        automaton = AutomatonCompiler.compile(tree, analysis, isSticky: isSticky)
    }

    /// Whether the text of `bytes`, which are UTF-8, matches.
    func test(_ bytes: UnsafeBufferPointer<UInt8>) throws(RegExpBudgetExceeded) -> Bool {
        guard case .success(let automaton) = automaton, bytes.count <= automaton.longestInput else {
            return try backtrack(bytes) != nil
        }
        guard bytes.count >= prefilter.minimumLength else { return false }
        var dfa = automata.take() ?? LazyDFA(automaton)
        var outcome = dfa.test(automaton, ASCIIInput(bytes: bytes))
        if case .foreign = outcome {
            outcome = transcoded(bytes).withUnsafeBufferPointer { dfa.test(automaton, UTF16Input(units: $0)) }
        }
        automata.give(back: dfa)
        guard case .matches(let matches) = outcome else { throw RegExpBudgetExceeded() }
        return matches
    }

    /// The captures' registers, or `nil` if nothing matches.
    func exec(_ bytes: UnsafeBufferPointer<UInt8>) throws(RegExpBudgetExceeded) -> [Int32]? {
        // The automaton finds out in linear time that there is no match; the backtracker may not.
        if case .success = automaton, try !test(bytes) { return nil }
        return try backtrack(bytes)
    }

    private func backtrack(_ bytes: UnsafeBufferPointer<UInt8>) throws(RegExpBudgetExceeded) -> [Int32]? {
        if isASCII(bytes) { return try backtrack(ASCIIInput(bytes: bytes)).get() }
        return try transcoded(bytes).withUnsafeBufferPointer { backtrack(UTF16Input(units: $0)) }.get()
    }

    private func backtrack(_ input: some RegExpInput) -> Result<[Int32]?, RegExpBudgetExceeded> {
        var backtracker = Backtracker(program: program, input: input, scratch: backtrackers.take() ?? .init())
        let result = Result { () throws(RegExpBudgetExceeded) in
            try backtracker.search(prefilter)
                ? Array(backtracker.scratch.registers.prefix(2 * program.groupCount + 2)) : nil
        }
        backtrackers.give(back: backtracker.scratch)
        return result
    }
}

/// Whether no byte has its highest bit set.
private func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { bytes.allSatisfy { $0 < 128 } }

/// The UTF-16 code units of UTF-8.
private func transcoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt16] {
    Array(String(decoding: bytes, as: UTF8.self).utf16)
}
