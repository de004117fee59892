/// Everything that a pattern is compiled to, and the choice of the executor that serves a call.
final class CompiledRegExp: Sendable {
    let pattern: String
    let flags: RegExpFlags
    let names: [PatternTree.NamedGroups]
    private let program: Program
    private let prefilter: Prefilter
    private let backtrackers = ScratchPool<BacktrackerScratch>()

    init(_ pattern: String, flags: RegExpFlags) throws(RegExpSyntaxError) {
        let tree = try PatternParser.parse(Array(pattern.utf16), flags: flags)
        let analysis = PatternAnalysis(tree)
        self.pattern = pattern
        self.flags = flags
        names = tree.names
        program = ProgramCompiler.compile(tree, analysis)
        prefilter = PrefilterCompiler.compile(tree, analysis, isSticky: flags.contains(.sticky))
    }

    func test(_ input: String) throws(RegExpBudgetExceeded) -> Bool {
        try exec(input) != nil
    }

    /// The captures' registers, or `nil` if nothing matches.
    func exec(_ input: String) throws(RegExpBudgetExceeded) -> [Int32]? {
        var input = input
        let result = input.withUTF8 { bytes -> Result<[Int32]?, RegExpBudgetExceeded> in
            if isASCII(bytes) { return backtrack(ASCIIInput(bytes: bytes)) }
            return Array(String(decoding: bytes, as: UTF8.self).utf16).withUnsafeBufferPointer {
                backtrack(UTF16Input(units: $0))
            }
        }
        return try result.get()
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
func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.allSatisfy { $0 < 128 }
}
