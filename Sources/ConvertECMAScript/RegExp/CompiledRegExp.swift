import ConvertConcurrency

/// A compiled pattern for all executors, and the choice of the executor for a call.
final class CompiledRegExp: Sendable {
    /// The pattern's code units.
    private let units: [UInt16]
    let flags: RegExpFlags
    let names: [PatternTree.NamedGroups]
    /// The automata for `test`; `nil` if there is an `obstacle`.
    private let automata: AutomatonSet?
    /// The automaton of a pattern without lookarounds, as an uncounted reference.
    ///
    /// Invariant: the automaton is used only inside the methods of this object, which owns it.
    // Keep it beside `automata`: reading the automaton from there takes a tenth of a test's time.
    private let uncountedAutomaton: UncountedReference<Automaton>?
    /// Why the pattern has no automaton.
    let obstacle: AutomatonCompiler.Obstacle?
    /// The automaton that answers `test`, if there is one.
    var testAutomaton: Automaton? { automata?.main }
    /// The longest input, in bytes, that the automaton accepts.
    var longestAutomatonInput: Int { automata?.longestInput ?? 0 }
    /// The number of lookarounds with automata of their own, because they are not inlined into the pattern.
    var lookaroundCount: Int { automata?.lookarounds.count { $0 != nil } ?? 0 }
    /// The approximate size of the compiled pattern in bytes, without the memory that the account counts. All small
    /// objects together count as a thousand bytes.
    var footprint: Int { 1_000 + 2 * units.count + program.footprint + (automata?.footprint ?? 0) }
    private let program: Program
    private let prefilter: Prefilter
    private let longestInput: Int
    private let caches: ScratchPool<LazyDFA>
    private let lookarounds: ScratchPool<LookaroundScratch>?
    private let backtrackers: ScratchPool<BacktrackerScratch>
    private let keptLinearProgram = AtomicLazyReference<KeptLinearProgram>()
    private let account: CacheAccount

    /// Visits for each instruction of a compiled linear program, and for each byte of the pattern.
    private static let visitsPerPlannedInstruction = 10

    /// Compiles the pattern of `units`.
    ///
    /// - Parameter account: counts the memory that executors keep between calls.
    init(_ units: [UInt16], flags: RegExpFlags, account: CacheAccount) throws(RegExpSyntaxError) {
        let (tree, analysis) = try Self.parse(units, flags: flags)
        self.units = units
        self.flags = flags
        names = tree.names
        program = ProgramCompiler.compile(tree, analysis)
        prefilter = PrefilterCompiler.compile(tree, analysis, isSticky: flags.contains(.sticky))
        switch AutomatonCompiler.compile(tree, analysis, prefilter) {
        case .success(let compiled): (automata, obstacle) = (compiled, nil)
        case .failure(let reason): (automata, obstacle) = (nil, reason)
        }
        longestInput = automata?.longestInput ?? 0
        self.account = account
        caches = ScratchPool(LazyDFA(), account: account)
        backtrackers = ScratchPool(BacktrackerScratch(), account: account)
        if let automata, !automata.main.looks.isEmpty {
            lookarounds = ScratchPool(LookaroundScratch(automata), account: account)
            uncountedAutomaton = nil
        } else {
            lookarounds = nil
            uncountedAutomaton = automata.map { UncountedReference($0.main) }
        }
    }

    /// The pattern, with U+FFFD in place of each lone surrogate.
    var pattern: String { String(decoding: units, as: UTF16.self) }

    /// The tree of the pattern of `units`. With `u` or `v`, its matches begin at code points.
    static func parse(
        _ units: [UInt16], flags: RegExpFlags
    ) throws(RegExpSyntaxError) -> (tree: PatternTree, analysis: PatternAnalysis) {
        var tree = try PatternParser.parse(units, flags: flags)
        let analysis = PatternAnalysis(tree)
        // A pattern that always consumes something cannot begin within a pair anyway.
        guard tree.isUnicode, analysis[tree.root].minimumLength == 0, !analysis[tree.root].isAnchored else {
            return (tree, analysis)
        }
        tree.startAtPointBoundaries()
        return (tree, PatternAnalysis(tree))
    }

    /// Whether the pattern matches the UTF-8 text `bytes`. `budget` pays for the work.
    func test(
        _ bytes: ByteText, _ budget: inout RegExpBudget
    ) throws(RegExpBudgetExceeded) -> Bool {
        guard bytes.count >= prefilter.minimumLength else { return false }
        let matches = uncountedAutomaton?.withObject { automaton -> Bool? in
            guard bytes.count <= longestInput else { return nil }
            return caches.withScratch(or: LazyDFA.init) { dfa in
                var truths = NoTruths(visitsLeft: budget.visits)
                defer {
                    budget.visits = truths.visitsLeft
                    dfa.rest()
                }
                return dfa.test(automaton, UTF8Units(bytes: bytes), &truths)
            }
        }
        if let matches { return matches }
        return try testOtherwise(bytes, &budget)
    }

    @inline(never)
    private func testOtherwise(
        _ bytes: ByteText, _ budget: inout RegExpBudget
    ) throws(RegExpBudgetExceeded) -> Bool {
        if let lookarounds, let automata, bytes.count <= longestInput {
            let matches = lookarounds.withScratch(or: { LookaroundScratch(automata) }) { scratch in
                scratch.test(UTF8Units(bytes: bytes), &budget)
            }
            if let matches { return matches }
        }
        return try registers(0, in: bytes, &budget) != nil
    }

    /// The captures' registers, in UTF-16 code units, or `nil` if there is no match.
    func exec(_ bytes: ByteText) throws(RegExpBudgetExceeded) -> [Int32]? {
        var budget = RegExpBudget.unlimited
        // For an input without a match, the automaton is the fastest.
        if automata != nil, try !test(bytes, &budget) { return nil }
        let positions = try registers(2 * program.groupCount + 2, in: bytes, &budget)
        return positions.map { isASCII(bytes) ? $0 : UTF8Units(bytes: bytes).unitOffsets(of: $0) }
    }

    /// The first `count` registers after a match: 0, or all registers of the captures. `nil` if there is no match.
    private func registers(
        _ count: Int, in bytes: ByteText, _ budget: inout RegExpBudget
    ) throws(RegExpBudgetExceeded) -> [Int32]? {
        guard bytes.count >= prefilter.minimumLength else { return nil }
        return try isASCII(bytes)
            ? registers(count, in: ASCIIInput(bytes: bytes), &budget).get()
            : registers(count, in: UTF8Units(bytes: bytes), &budget).get()
    }

    /// Finds the registers by backtracking, which is the fastest for most matches. If that takes too long, the linear
    /// matcher continues. It finds the match of a pattern without back references. With back references, it only proves
    /// for most inputs without a match that there is no match.
    private func registers(
        _ count: Int, in input: some RegExpInput, _ budget: inout RegExpBudget
    ) -> Result<[Int32]?, RegExpBudgetExceeded> {
        let answer = backtrack(input, steps: RegExpLimits.stepsBeforeLinear, &budget, count)
        if case .success = answer { return answer }
        if budget.isSpent { return answer }
        if let linearProgram = linearProgram(&budget), input.count <= linearProgram.longestInput {
            var steps = budget.visits
            if !linearProgram.isExact {
                let more = saturatingProduct(RegExpLimits.linearStepsPerByte, input.count)
                steps = min(steps, saturatingSum(RegExpLimits.linearSteps, more))
            }
            var matcher = LinearMatcher(linearProgram, input, steps: steps)
            let found = Result { () throws(RegExpBudgetExceeded) -> [Int32]? in
                if count > 0, linearProgram.isExact { return try matcher.search() }
                return try matcher.matches() ? [] : nil
            }
            budget.spend(visits: matcher.work)
            switch found {
            case .success(.none): return found
            case .success: if linearProgram.isExact { return found }
            case .failure: if budget.isSpent { return found }
            }
        }
        return backtrack(input, steps: RegExpLimits.steps, &budget, count)
    }

    /// The linear program, compiled on first use. Most patterns never need it. It is kept if the account has capacity
    /// for it. The result that there is no program is always kept.
    private func linearProgram(_ budget: inout RegExpBudget) -> LinearProgram? {
        if let kept = keptLinearProgram.load() { return kept.program }
        guard let (tree, analysis) = try? Self.parse(units, flags: flags) else { return nil }
        let program = LinearProgram(
            tree, analysis, isAnchored: prefilter.isAnchored,
            instructions: automata == nil ? RegExpLimits.automatonInstructions : RegExpLimits.linearInstructions)
        let size = units.count + (program?.program.code.count ?? 0)
        budget.spend(visits: size * Self.visitsPerPlannedInstruction)
        let kept = KeptLinearProgram(program, account: account)
        return kept.hasRoom ? keptLinearProgram.storeIfNil(kept).program : program
    }

    private func backtrack(
        _ input: some RegExpInput, steps: Int, _ budget: inout RegExpBudget, _ count: Int
    ) -> Result<[Int32]?, RegExpBudgetExceeded> {
        // Searching the whole input for possible starts of a match takes no steps.
        budget.spend(visits: input.count)
        return backtrackers.withScratch(or: { BacktrackerScratch() }) { scratch in
            var backtracker = Backtracker(
                program: program, input: input, scratch: scratch, steps: steps, mostSteps: budget.steps)
            let allowed = backtracker.budget
            // The backtracker must have the only reference. Otherwise changing the scratch memory would copy it.
            scratch = BacktrackerScratch()
            defer {
                budget.spend(steps: allowed - backtracker.budget)
                backtracker.scratch.rest()
                scratch = backtracker.scratch
            }
            return Result { () throws(RegExpBudgetExceeded) in
                // Copied element by element: `Array(_:)` of the slice would share the memory that returns to the pool.
                try backtracker.search(prefilter) ? backtracker.scratch.registers.prefix(count).map { $0 } : nil
            }
        }
    }
}

/// Whether no byte has its highest bit set.
private func isASCII(_ bytes: ByteText) -> Bool { bytes.reduce(0, |) < 128 }
