import ConvertTestSupport
import Testing

@testable import ConvertECMAScript

/// The executors under conditions that ordinary inputs do not bring about.
struct ExecutorTests {
    /// A cache of a few states forgets all the time, and at last the automaton is stepped through.
    @Test func aTinyCacheChangesNoAnswer() async throws {
        for seed in 0..<caseCount(150, plain: 50) {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, kind: .regular)
            let pattern = generator.pattern()
            let flags = generator.flags()
            let automaton = try automaton(pattern.text, flags: flags)
            let program = try program(pattern.text, flags: flags)
            var tiny = LazyDFA()
            tiny.capacity = -RegExpLimits.cacheBytesPerInstruction * automaton.code.count
            for _ in 0..<6 {
                let input = generator.input() + generator.input() + generator.input()
                // The backtracker by itself: `exec` asks an automaton first.
                let captures = captures(program, input, stepsBeforeRecording: 0)
                #expect(
                    answer(&tiny, automaton, Array(input.utf8)) == (captures != nil),
                    "seed \(seed), /\(pattern.text)/\(flags) on \(input.debugDescription)")
            }
        }
    }

    /// Of 2ⁿ states nearly every one is met once, so keeping them is given up; the answers are known beforehand.
    @Test(arguments: [14, 60, 300])
    func statesThatHardlyRecurAreSteppedThrough(count: Int) throws {
        let automaton = try automaton("(?:a|b)*a[ab]{\(count)}c", flags: "")
        var generator = PatternGenerator(seed: count, kind: .regular)
        var bytes = (0..<10_000).map { _ in UInt8(0x61 + generator.random(2)) } + [UInt8(ascii: "c")]
        var dfa = LazyDFA()
        dfa.capacity = 0
        for letter in [UInt8(ascii: "a"), UInt8(ascii: "b")] {
            bytes[bytes.count - 2 - count] = letter
            #expect(answer(&dfa, automaton, bytes) == (letter == UInt8(ascii: "a")))
        }
        #expect(dfa.clearings > 0)
        #expect(4 * dfa.transitions.count <= RegExpLimits.cacheBytesPerInstruction * automaton.code.count)
    }

    @Test func aCacheThatOverflowedIsGivenBack() throws {
        let automaton = try automaton("(?:a|b)*a[ab]{14}c", flags: "")
        var generator = PatternGenerator(seed: 3, kind: .regular)
        let bytes = (0..<15_000).map { _ in UInt8(0x61 + generator.random(2)) }
        var dfa = LazyDFA()
        #expect(answer(&dfa, automaton, bytes) == false)
        #expect(dfa.clearings > 0)
        dfa.rest()
        #expect(dfa.transitions.isEmpty)
        #expect(answer(&dfa, automaton, Array("abc".utf8)) == false)
        dfa.rest()
        #expect(!dfa.transitions.isEmpty, "one that did not is kept")
    }

    /// Half of the instructions alive at once, and never the same half. Two thousand with CONVERT_CASES=2.
    @Test func automataWithManyLiveInstructionsAnswer() throws {
        let count = inputSize(2_000, plain: 200)
        let expression = try RegExp("(?:a|b)*a[ab]{\(count)}c")
        #expect(expression.plan.executor == .automaton)
        var generator = PatternGenerator(seed: 2, kind: .regular)
        let letters = (0..<4 * count).map { _ in generator.random(2) == 0 ? "a" : "b" }.joined()
        let tail = String(repeating: "b", count: count) + "c"
        #expect(try !expression.test(letters))
        #expect(try expression.test(letters + "a" + tail))
        #expect(try !expression.test(letters + "b" + tail))
    }

    @Test func anAutomatonGivesUpBeyondItsBudget() throws {
        let automaton = try automaton("(?:a|b)*a[ab]{60}c", flags: "")
        var generator = PatternGenerator(seed: 4, kind: .regular)
        let bytes = (0..<5_000).map { _ in UInt8(0x61 + generator.random(2)) }
        for capacity in [0, RegExpLimits.cacheBytes] {
            var dfa = LazyDFA()
            dfa.capacity = capacity
            #expect(answer(&dfa, automaton, bytes, visits: 5_000) == nil)
            #expect(answer(&dfa, automaton, bytes) == false)
        }
    }

    /// Repetitions of repetitions, which an automaton joins where that accepts the same.
    @Test func repeatedRepetitionsAcceptWhatTheySay() throws {
        let counts = ["*", "+", "?", "{2}", "{0,2}", "{1,2}", "{2,}", "{2,3}", "{0,0}"]
        for inner in counts {
            for outer in counts {
                let pattern = "^(?:((?:ab|c)\(inner))\(outer))$"
                let automaton = try automaton(pattern, flags: "")
                let program = try program(pattern, flags: "")
                for pieces in 0..<11 {
                    let input = (0..<pieces).map { $0 % 3 == 1 ? "c" : "ab" }.joined()
                    var dfa = LazyDFA()
                    #expect(
                        answer(&dfa, automaton, Array(input.utf8)) == (captures(program, input) != nil),
                        "/\(pattern)/ on \(input)")
                }
            }
        }
    }

    /// Recording failures from the first step on makes the backtracker faster, not different; so does unrolling.
    @Test func recordingAndUnrollingChangeNoAnswer() async throws {
        for seed in 0..<caseCount(400, plain: 150) {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, kind: PatternGenerator.Kind.allCases[seed % 3])
            let pattern = generator.pattern()
            let flags = generator.flags()
            let unrolled = try program(pattern.text, flags: flags)
            let counted = try program(pattern.text, flags: flags, unrolledInstructions: 0)
            for _ in 0..<6 {
                let input = generator.input()
                let plain = captures(unrolled, input, stepsBeforeRecording: Int.max / 2)
                let place = "seed \(seed), /\(pattern.text)/\(flags) on \(input.debugDescription)"
                #expect(captures(unrolled, input, stepsBeforeRecording: 0) == plain, "recording, \(place)")
                #expect(captures(counted, input, stepsBeforeRecording: 0) == plain, "counting, \(place)")
            }
        }
    }

    /// A failure inside a lookahead that later succeeded says nothing about another way there.
    @Test func aLookaroundThatWasCutOffIsNoFailure() throws {
        let program = try program("^.*(?=(?:a?(?:x|y?))*c)(?=a)", flags: "")
        #expect(captures(program, "ac" + String(repeating: "z", count: 400), stepsBeforeRecording: 0) == [0, 0])
    }

    /// Loops that count, which the patterns above hardly have when their counts are small.
    @Test func countersAgreeWithCopies() async throws {
        for seed in 0..<caseCount(400, plain: 150) {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, kind: .everything)
            let atom = generator.pattern(depth: 2)
            let (minimum, more) = (generator.random(4), generator.random(4))
            let lazy = generator.random(2) == 0 ? "?" : ""
            let text = "(?:(\(atom.text))|b){\(minimum),\(minimum + more)}\(lazy)(a|$)"
            let unrolled = try program(text, flags: "")
            let counted = try program(text, flags: "", unrolledInstructions: 0)
            for _ in 0..<6 {
                let input = generator.input()
                #expect(
                    captures(counted, input) == captures(unrolled, input),
                    "seed \(seed), /\(text)/ on \(input.debugDescription)")
            }
        }
    }

    @Test func failuresAreFoundAgain() {
        var table = FailureTable()
        for position in 0..<2_000 { table.insert(7, position) }
        #expect((0..<2_000).filter { table.contains(7, $0) }.count > 1_000)
        #expect(!table.contains(8, 5))
        table.removeAll()
        #expect(!table.contains(7, 5))
    }

    /// Memory of failures is worth nothing if the choices of one position push each other out.
    @Test func failuresOfManyChoicesAtOnePositionAreKept() {
        var table = FailureTable()
        for instruction in 0..<2_000 { table.insert(instruction, 9) }
        #expect((0..<2_000).filter { table.contains($0, 9) }.count > 1_000)
    }

    @Test func canonicalizeAgreesWithSwiftsTablesInTheOldScripts() {
        for unit in UInt16(0)...0x24ff { #expect(Canonicalize.unit(unit) == referenceCanonicalize(unit)) }
    }

    private func automaton(_ pattern: String, flags: String) throws -> Automaton {
        let tree = try PatternParser.parse(Array(pattern.utf16), flags: RegExpFlags(parsing: flags))
        return try AutomatonCompiler.compile(tree, PatternAnalysis(tree), Prefilter()).get().main
    }

    private func program(
        _ pattern: String, flags: String, unrolledInstructions: Int = RegExpLimits.unrolledInstructions
    ) throws -> Program {
        let tree = try PatternParser.parse(Array(pattern.utf16), flags: RegExpFlags(parsing: flags))
        return ProgramCompiler.compile(tree, PatternAnalysis(tree), unrolledInstructions: unrolledInstructions)
    }

    /// Whether the automaton accepts, or `nil` if it gave up.
    private func answer(
        _ dfa: inout LazyDFA, _ automaton: Automaton, _ bytes: [UInt8], visits: Int = RegExpBudget.unlimited.visits
    ) -> Bool? {
        var noTruths = NoTruths(visitsLeft: visits)
        return bytes.withElements { dfa.test(automaton, UTF8Units(bytes: $0), &noTruths) }
    }

    /// The captures' registers; `nil` for no match, and an empty list for giving up, which no test here should see.
    private func captures(_ program: Program, _ input: String, stepsBeforeRecording: Int = 512) -> [Int32]? {
        Array(input.utf8).withElements { bytes in
            let units = UTF8Units(bytes: bytes)
            var backtracker = Backtracker(
                program: program, input: units, scratch: BacktrackerScratch(),
                stepsBeforeRecording: stepsBeforeRecording)
            do {
                guard try backtracker.search(Prefilter()) else { return nil }
                return units.unitOffsets(of: Array(backtracker.scratch.registers.prefix(2 * program.groupCount + 2)))
            } catch {
                Issue.record("\(error)")
                return []
            }
        }
    }
}
