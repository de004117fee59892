import Testing

@testable import ConvertECMAScript

/// The executors under conditions that ordinary inputs do not bring about.
struct ExecutorTests {
    /// A cache of a few states forgets all the time, and at last the automaton is stepped through.
    @Test func aTinyCacheChangesNoAnswer() throws {
        for seed in 0..<400 {
            var generator = PatternGenerator(seed: seed, isRegular: true)
            let pattern = generator.pattern()
            let flags = generator.flags()
            let tree = try PatternParser.parse(Array(pattern.text.utf16), flags: RegExpFlags(parsing: flags))
            let automaton = try AutomatonCompiler.compile(tree, PatternAnalysis(tree), isSticky: false).get()
            let expression = try RegExp(pattern.text, flags: flags)
            var tiny = LazyDFA()
            tiny.capacity = -RegExpLimits.cacheBytesPerInstruction * automaton.code.count
            for _ in 0..<6 {
                let input = generator.input() + generator.input() + generator.input()
                let units = Array(input.utf16)
                let outcome = units.withUnsafeBufferPointer { tiny.test(automaton, UTF16Input(units: $0)) }
                guard case .matches(let matches) = outcome else {
                    Issue.record("seed \(seed), /\(pattern.text)/\(flags): \(outcome)")
                    continue
                }
                #expect(
                    try matches == (expression.exec(input) != nil),
                    "seed \(seed), /\(pattern.text)/\(flags) on \(input.debugDescription)")
            }
        }
    }

    @Test func aFullCacheIsClearedAndRefilled() throws {
        let tree = try PatternParser.parse(Array("(?:a|b)*a[ab]{14}c".utf16), flags: [])
        let automaton = try AutomatonCompiler.compile(tree, PatternAnalysis(tree), isSticky: false).get()
        var generator = PatternGenerator(seed: 1, isRegular: true)
        let units = (0..<60_000).map { _ in UInt16(0x61 + generator.random(2)) }
        var dfa = LazyDFA()
        let outcome = (units + [0x63]).withUnsafeBufferPointer { dfa.test(automaton, UTF16Input(units: $0)) }
        guard case .matches(let matches) = outcome else {
            Issue.record("gave up")
            return
        }
        #expect(matches == (units[units.count - 15] == 0x61))
        #expect(dfa.clearings > 0)
    }

    /// Recording failures from the first step on makes the backtracker faster, not different.
    @Test func recordingFailuresChangesNoAnswer() throws {
        for seed in 0..<1_500 {
            var generator = PatternGenerator(seed: seed, isRegular: seed % 3 == 0)
            let pattern = generator.pattern()
            let flags = generator.flags()
            let tree = try PatternParser.parse(Array(pattern.text.utf16), flags: RegExpFlags(parsing: flags))
            let program = ProgramCompiler.compile(tree, PatternAnalysis(tree))
            for _ in 0..<6 {
                let input = generator.input()
                let answers = [0, Int.max / 2].map { steps in registers(program, input, stepsBeforeRecording: steps) }
                #expect(
                    answers[0] == answers[1], "seed \(seed), /\(pattern.text)/\(flags) on \(input.debugDescription)")
            }
        }
    }

    private func registers(_ program: Program, _ input: String, stepsBeforeRecording: Int) -> [Int32]? {
        Array(input.utf16).withUnsafeBufferPointer { units in
            var backtracker = Backtracker(
                program: program, input: UTF16Input(units: units), scratch: BacktrackerScratch(),
                stepsBeforeRecording: stepsBeforeRecording)
            guard (try? backtracker.search(Prefilter())) == true else { return nil }
            return Array(backtracker.scratch.registers.prefix(2 * program.groupCount + 2))
        }
    }

    @Test func failuresAreFoundAgainUntilTheTableIsFull() {
        var table = FailureTable()
        for position in 0..<2_000 { table.insert(7, position) }
        #expect((0..<2_000).filter { table.contains(7, $0) }.count > 1_000)
        #expect(!table.contains(8, 5))
        table.removeAll()
        #expect(!table.contains(7, 5))
    }

    @Test func canonicalizeAgreesWithSwiftsTablesInTheOldScripts() {
        for unit in UInt16(0)...0x24ff { #expect(Canonicalize.unit(unit) == referenceCanonicalize(unit)) }
    }
}
