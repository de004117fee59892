import ConvertTestSupport
import Testing

@testable import ConvertECMAScript

/// Captures found in linear time are the same as by backtracking.
struct LinearMatcherTests {
    /// With rows of the whole input, and with segments of it that are computed again.
    @Test(arguments: [PatternGenerator.Kind.regular, .lookarounds])
    func capturesAreThoseOfTheReference(kind: PatternGenerator.Kind) async throws {
        var answered = 0
        let patterns = caseCount(200, plain: 60)
        for seed in 0..<patterns {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, kind: kind)
            let pattern = generator.pattern(depth: 5)
            let flags = generator.flags()
            let program = try #require(try program(pattern.text, flags: flags))
            let size = try size(pattern.text, flags: flags)
            #expect(program.program.code.count == size, "seed \(seed), /\(pattern.text)/")
            for _ in 0..<4 {
                let input = generator.input() + generator.input() + generator.input()
                let expected: [Range<Int>?]?
                do {
                    expected = try ReferenceMatcher.exec(
                        pattern, flags: .init(flags), groupCount: generator.groupCount, input: Array(input.utf16))
                } catch is ReferenceMatcher.GaveUp { continue }
                answered += 1
                for keptBytes in [0, 1 << 16] {
                    #expect(
                        try captures(program, input, keptBytes: keptBytes) == expected,
                        "seed \(seed), /\(pattern.text)/\(flags) on \(input.debugDescription), \(keptBytes) bytes")
                }
            }
        }
        #expect(answered > patterns * 37 / 10)
    }

    /// Iterations that can be empty, and repetitions of repetitions, against loops that count. A fourth of the pairs of
    /// repetitions; all of them with CONVERT_CASES=4.
    @Test func repeatedRepetitionsFindWhatCountingFinds() async throws {
        let atoms = [
            "a", "(a)", "(?:a|ab)", "(?:|a)", "(?:a||b)", "(a)?", "(?:(a)|()|(b))", "(?:\\b|(a))", "(?:(?=(a))|b|ab)",
            "(?:(a*)(?=b)|(b?))",
        ]
        let counts = ["*", "+", "?", "{2}", "{0,2}", "{1,2}", "{2,}", "*?", "+?", "??", "{2}?", "{2,}?"]
        let pairs = counts.indices.flatMap { inner in counts.indices.map { (inner, $0) } }
        for (place, atom) in atoms.enumerated() {
            await Task.yield()
            for (number, (inner, outer)) in pairs.enumerated() where caseCount(1) >= 4 || (number + place) % 4 == 0 {
                let (inner, outer) = (counts[inner], counts[outer])
                let pattern = "(?:((?:\(atom))\(inner)))\(outer)(?:b|$)"
                for pattern in ["(?:(?:\(atom))\(inner))\(outer)", pattern, "^(?:x|\(pattern)|)+?$"] {
                    let flags = try RegExpFlags(parsing: "")
                    let (tree, analysis) = try CompiledRegExp.parse(Array(pattern.utf16), flags: flags)
                    let counting = ProgramCompiler.compile(tree, analysis, unrolledInstructions: 0)
                    let program = try #require(LinearProgram(tree, analysis, isAnchored: false))
                    for input in ["a", "aab", "abab"] {
                        try Array(input.utf8).withElements { bytes in
                            let units = ASCIIInput(bytes: bytes)
                            let scratch = BacktrackerScratch()
                            var backtracker = Backtracker(program: counting, input: units, scratch: scratch)
                            let matches = try backtracker.search(Prefilter())
                            var matcher = LinearMatcher(program, units)
                            let found = try matcher.search()
                            let expected = backtracker.scratch.registers.prefix(2 * counting.groupCount + 2)
                            #expect(found == (matches ? Array(expected) : nil), "/\(pattern)/ on \(input)")
                        }
                    }
                }
            }
        }
    }

    static let examples: [(pattern: String, input: String, ranges: [Range<Int>?])] = [
        ("(a*)*", "b", [0..<0, nil]),
        ("(z)((a+)?(b+)?(c))*", "zaacbbbcac", [0..<10, 0..<1, 8..<10, 8..<9, nil, 9..<10]),
        ("(?=(a+))a*b\\b", "baaab", [1..<5, 1..<4]), ("(.*?)a(?!(a+)b)", "baaabaac", [0..<4, 0..<3, nil]),
        ("(?<=(\\d+)(\\d+))$", "1053", [4..<4, 0..<1, 1..<4]), ("(?:(?=(a))a|b)*", "ab", [0..<2, nil]),
        ("(?:(?=(a|b))[ab])*", "ab", [0..<2, 1..<2]), ("(?:a?)*?$", "aa", [0..<2]),
        ("(?:(a?)){3}", "a", [0..<1, 1..<1]),
        ("(?=(?<=(?=(a))a)(b))", "ab", [1..<1, 0..<1, 1..<2]), ("((a)|b)*?c", "abc", [0..<3, 1..<2, nil]),
        ("(?:(a)|(?=(b))){2}", "ab", [0..<1, nil, 1..<2]), ("(?!(a))b", "b", [0..<1, nil]),
        ("(?:(a)||(b))+?$", "ab", [0..<2, nil, 1..<2]), ("(?:()|(a))+?b", "ab", [0..<2, nil, 0..<1]),
        ("(?:(a)|())+?b", "b", [0..<1, nil, 0..<0]), ("(?:a(?:()|(?:(a)|)+?)+?)*b", "aab", [0..<3, 2..<2, nil]),
    ]

    @Test(arguments: examples)
    func capturesAreThoseOfTheSpecification(pattern: String, input: String, ranges: [Range<Int>?]) throws {
        let program = try #require(try program(pattern, flags: ""))
        #expect(try captures(program, input, keptBytes: 0) == ranges)
        let match = try #require(try RegExp(pattern).exec(input))
        #expect((0...match.groupCount).map { match.range(of: $0) } == ranges)
    }

    /// Every choice that backtracking could take back is at every position.
    @Test(arguments: [
        "(a+)+$|b", "((a|aa)+)+$|b", "(?:(a?)*)*$|b", "(?:(a*)*)*!|b", "(?:a|(?=(a+)+!))*!|b", "(?<=((a|aa)*!)*a*)!|b",
        "((?:|a)+?a?)+?$|b",
    ])
    func stepsForEachUnitStayTheSame(pattern: String) throws {
        let program = try #require(try program(pattern, flags: ""))
        // The last is longer than the rows that are kept.
        let steps = try [100, 2_000, inputSize(30_000, plain: 10_000)].map { length in
            let input = String(repeating: "a", count: length - 1) + "b"
            return try Array(input.utf8).withElements { bytes in
                var matcher = LinearMatcher(program, ASCIIInput(bytes: bytes))
                let registers = try matcher.search()
                #expect(registers?.prefix(2) == [Int32(length - 1), Int32(length)])
                return Double(matcher.work) / Double(length)
            }
        }
        #expect(steps[1] < 1.1 * steps[0] && steps[2] < 1.1 * steps[1], "\(steps)")
    }

    /// The way to the match is as long as the input, so that all segments are computed again.
    @Test func longWaysTakeFewStepsForEachUnit() throws {
        let program = try #require(try program("^((a)|(b)|(é))*?$", flags: ""))
        let input = String(repeating: "abé", count: inputSize(10_000, plain: 3_000))
        try Array(input.utf8).withElements { bytes in
            var matcher = LinearMatcher(program, UTF8Units(bytes: bytes))
            let registers = try #require(try matcher.search())
            let count = Int32(bytes.count)
            #expect(registers == [0, count, count - 2, count, -1, -1, -1, -1, count - 2, count])
            #expect(matcher.work < 100 * bytes.count)
        }
    }

    /// A test ends at the first match that it meets, and does not look for captures.
    @Test(arguments: [("(a|b)*c", 10), ("((a)|b)*?c(?!d)", 40), ("((a)|b)*c", 20)])
    func testsTakeFewSteps(pattern: String, stepsPerUnit: Int) throws {
        let program = try #require(try program(pattern, flags: ""))
        for text in [String(repeating: "ab", count: 2_000) + "c", "c" + String(repeating: "ab", count: 2_000)] {
            try Array(text.utf8).withElements { bytes in
                var tested = LinearMatcher(program, ASCIIInput(bytes: bytes))
                let matches = try tested.matches()
                #expect(matches)
                var searched = LinearMatcher(program, ASCIIInput(bytes: bytes))
                let captures = try searched.search()
                #expect(captures != nil)
                #expect(tested.work <= searched.work)
                #expect(text.hasPrefix("c") || program.lookarounds.count > 0 || tested.work < 100)
                #expect(tested.work < stepsPerUnit * bytes.count, "\(tested.work)")
            }
        }
    }

    /// With any text in the place of back references, what matches nowhere does not match with them either.
    @Test func referencesAreTakenForMoreThanTheyAre() async throws {
        var (excluded, answered) = (0, 0)
        let patterns = caseCount(200, plain: 60)
        for seed in 0..<patterns {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, kind: .everything)
            let pattern = generator.pattern(depth: 5)
            let flags = generator.flags()
            let program = try #require(try program(pattern.text, flags: flags))
            for _ in 0..<4 {
                let input = generator.input()
                let expected: [Range<Int>?]?
                do {
                    expected = try ReferenceMatcher.exec(
                        pattern, flags: .init(flags), groupCount: generator.groupCount, input: Array(input.utf16))
                } catch is ReferenceMatcher.GaveUp { continue }
                answered += 1
                let found = try captures(program, input, keptBytes: 0)
                #expect(try matches(program, input) == (found != nil), "seed \(seed), /\(pattern.text)/\(flags)")
                if program.isExact { #expect(found == expected, "seed \(seed), /\(pattern.text)/\(flags)") }
                guard found == nil else { continue }
                excluded += 1
                #expect(expected == nil, "seed \(seed), /\(pattern.text)/\(flags) on \(input.debugDescription)")
            }
        }
        #expect(answered > patterns * 38 / 10 && excluded > patterns / 2)
    }

    @Test(arguments: [
        "(\\w+)\\s+\\1\\b.*$x", "<([a-z]+)([^<]+)*(?:>(.*)<\\/\\1>|\\s+\\/>)", "(a+)+\\1(?!(b)\\2)!",
        "^(?:(a|aa)+\\1)*!",
    ])
    func whatCannotMatchWhateverWasCapturedIsAnswered(pattern: String) throws {
        let expression = try RegExp(pattern)
        #expect(expression.plan.executor == .backtracker)
        for input in [String(repeating: "<a", count: 10_000), String(repeating: "a", count: 20_000)] {
            #expect(try !expression.test(input))
            #expect(try expression.exec(input) == nil)
        }
    }

    @Test func itGivesUpBeyondItsBudget() throws {
        let program = try #require(try program("(a+)+$", flags: ""))
        Array("aaaaaaaaaaaaaaaa".utf8).withElements { bytes in
            for steps in [20, 60] {
                #expect(throws: RegExpBudgetExceeded.self) {
                    var matcher = LinearMatcher(program, ASCIIInput(bytes: bytes), steps: steps)
                    return try matcher.search()
                }
            }
        }
    }

    @Test func countsThatAreTooManyToWriteOutAreLeftToCounters() throws {
        #expect(try program("(?:(?:a|bc){1000}){1000}", flags: "") == nil)
        #expect(try program("(?:a|bc){0,1000000000}", flags: "") != nil)
    }

    private func program(_ pattern: String, flags: String) throws -> LinearProgram? {
        let (tree, analysis) = try CompiledRegExp.parse(Array(pattern.utf16), flags: RegExpFlags(parsing: flags))
        return LinearProgram(tree, analysis, isAnchored: false)
    }

    /// Captures take a longer program than the answer does, and it gets the room.
    @Test(arguments: [
        "^(?:x*y|x){9000}$", "^(?:(?:x+x+y|x){800}){10}$", "^(?:((a)|ab|b)(?:c|bcd|)){6000}$",
        "(?:(?:x{0,300}){0,300})*(?:x|xx)+$", "^(?:(?:a?b?){9000,}c?){9000,}!",
    ])
    func whatAnAutomatonAnswersHasALinearProgram(pattern: String) throws {
        #expect(try RegExp(pattern).plan.executor == .automaton)
        #expect(try program(pattern, flags: "") != nil)
    }

    private func size(_ pattern: String, flags: String) throws -> Int {
        let (tree, analysis) = try CompiledRegExp.parse(Array(pattern.utf16), flags: RegExpFlags(parsing: flags))
        return WrittenOut.size(of: tree, analysis)
    }

    private func matches(_ program: LinearProgram, _ input: String) throws -> Bool {
        try Array(input.utf8).withElements { bytes in
            var matcher = LinearMatcher(program, UTF8Units(bytes: bytes))
            return try matcher.matches()
        }
    }

    private func captures(_ program: LinearProgram, _ input: String, keptBytes: Int) throws -> [Range<Int>?]? {
        try Array(input.utf8).withElements { bytes in
            let units = UTF8Units(bytes: bytes)
            var matcher = LinearMatcher(program, units, keptBytes: keptBytes)
            guard let positions = try matcher.search() else { return nil }
            let registers = units.unitOffsets(of: positions)
            return stride(from: 0, to: registers.count, by: 2).map { register in
                registers[register] < 0 ? nil : Int(registers[register])..<Int(registers[register + 1])
            }
        }
    }
}
