import ConvertTestSupport
import Testing

@testable import ConvertECMAScript

/// Lookarounds in automata: every way to find out whether they hold gives the same answer.
struct LookaroundTests {
    /// By single answers, by tables, and by caches that forget all the time.
    @Test func everyWayAgreesWithTheReference() async throws {
        var answered = 0
        let patterns = caseCount(120, plain: 50)
        for seed in 0..<patterns {
            await Task.yield()
            var generator = PatternGenerator(seed: seed, kind: .lookarounds)
            let pattern = generator.pattern(depth: 5)
            let flags = generator.flags()
            let automata = try automata(pattern.text, flags: flags)
            for _ in 0..<4 {
                let input = generator.input() + generator.input()
                let expected: Bool
                do {
                    expected =
                        try ReferenceMatcher.exec(
                            pattern, flags: .init(flags), groupCount: generator.groupCount, input: Array(input.utf16))
                        != nil
                } catch is ReferenceMatcher.GaveUp { continue }
                answered += 1
                for directUnits in [0, 1, 1_000] {
                    for capacity in [RegExpLimits.cacheBytes, -1 << 20] {
                        let answer = test(automata, input, directUnitsPerByte: directUnits, capacity: capacity)
                        let place = "seed \(seed), /\(pattern.text)/\(flags) on \(input.debugDescription)"
                        #expect(answer == expected, "\(place), \(directUnits) units")
                    }
                }
            }
        }
        #expect(answered > patterns * 37 / 10)
    }

    /// Whatever the pattern and the input, without back references there is an answer.
    @Test(arguments: [
        "(?=(a+)+b)c", "(?:(?=a)a|a)*?(?!a)!", "(?:(a|aa)+)+$(?<=b)", "(?!.*(?:a|aa|é)+$)!|(?<!(?:a*)*b)c",
        "(?:a?){50}a{400}(?<=b)(?=c)", "(?<=(?=(?:x?a?)*!)a*)b", "(?:(?=(?:a|b)*c)a)*d", "(?<!(?:a|aa)+b)c(?=d)",
        "(?:a(?=(?:a|b)*a[ab]{12}c)|b)*d", "^(?=.*a)(?=.*b)(?=.*c)(?!.*d)(?:a*)*e", "(?=a(?=a(?=a(?!a))))b",
    ])
    func patternsWithoutBackReferencesNeverGiveUp(pattern: String) throws {
        let expression = try RegExp(pattern)
        #expect(expression.plan.executor == .automaton)
        var generator = PatternGenerator(seed: 1, kind: .regular)
        // Fifty thousand with CONVERT_CASES=2.
        let count = inputSize(50_000, plain: 5_000)
        let letters = (0..<count).map { _ in generator.random(3) == 0 ? "b" : "a" }.joined()
        for input in [String(repeating: "a", count: count), letters, String(repeating: "aé😀", count: count / 10)] {
            #expect(try !expression.test(input))
        }
    }

    /// Each asks at every position.
    @Test(arguments: [
        ("(?!.*x)b", true), ("(?<=a.*)b(?!x)", true), ("(?<!a.*)b", false), ("(?=.*(?<=a)b(?=b))a(?=b)", true),
        ("(?<!a.*)(?!.*a)b", false), ("(?=b(?!.*x))b{5}", true),
    ])
    func manyPositionsAreOnePass(pattern: String, matches: Bool) throws {
        // Steps for each position would be more than a test may take. Ten times as long with CONVERT_CASES=2.
        let count = inputSize(20_000, plain: 2_000)
        let input = String(repeating: "ab", count: count) + String(repeating: "b", count: 10 * count)
        #expect(try RegExp(pattern).test(input) == matches)
    }

    static let inlined: [(pattern: String, count: Int)] = [
        ("(?<=utm_campaign=)[^&]+", 0), ("a(?=b)", 0), ("a(?!b)", 1), ("(?=a)b", 1), ("^(?<=a)b", 1),
        ("(?:a|b(?=c))", 0),
        ("(?:a(?=b))*", 1), ("a(?=b(?=c))", 0), ("(?!a(?=b))c", 1), ("(?<!(?<=a)b)c", 1), ("x*(?<=a)b", 0),
        ("(?:a(?=b)){0}", 0),
    ]

    @Test(arguments: inlined)
    func aGroupThatMatchesAsTextIsNoLookaround(pattern: String, count: Int) throws {
        let automata = try automata(pattern, flags: "")
        #expect(automata.lookarounds.count { $0 != nil } == count)
    }

    /// With `y` a match begins at 0, so that what stands before it is no part of the text.
    @Test func stickyPatternsLookBehindTheirStart() throws {
        #expect(try !RegExp("(?<=a)b", flags: "y").test("ab"))
        #expect(try RegExp("(?<=a)b").test("ab"))
        #expect(try RegExp("(?<!a)b", flags: "y").test("b"))
    }

    /// The tables of all lookarounds together take no more than their bound; beyond it, the backtracker answers.
    @Test func tablesAreBounded() {
        let mostBytes = 1 << 16
        var tables = TruthTables(lookarounds: 3, mostBytes: mostBytes)
        tables.prepare(count: 4 * mostBytes)
        let added = (0..<3).map { tables.addTable(for: $0) }
        #expect(added == [true, false, false])
        tables.removeAll()
        tables.prepare(count: 100)
        let addedLater = tables.addTable(for: 2)
        #expect(addedLater)
        tables.set(2, at: 100)
        #expect(tables.holds(2, at: 100) && !tables.holds(2, at: 99))
    }

    /// What a pattern keeps of its lookarounds is made when they are asked, counted, and given back if it is much.
    @Test func memoryOfLookaroundsIsMadeWhereTheyAreAsked() throws {
        for (count, isKept) in [(60, true), (2_000, false)] {
            let text = String(repeating: "(?!a)", count: count) + "b"
            var scratch = LookaroundScratch(try automata(text, flags: ""))
            #expect(scratch.heldBytes < 100)
            #expect(test(&scratch, "ab") == true)
            #expect((scratch.heldBytes > count * MemoryLayout<LazyDFA>.stride) == isKept)
            #expect(scratch.heldBytes < 1_500 * 60)
            scratch.forget()
            #expect(scratch.heldBytes < 100)
            #expect(test(&scratch, "ab") == true)
        }
    }

    /// However many lookarounds a test asks, their caches share what one may take, apart from what their size adds.
    @Test(arguments: ["(?!.*[ab]a.{9}[yc])", "(?<![ca].{9}ab.*)"])
    func lookaroundsOfATestShareTheirMemory(lookaround: String) throws {
        let automata = try automata("^(?:" + String(repeating: lookaround, count: 100) + "z|[ab])*!", flags: "")
        var generator = PatternGenerator(seed: 5, kind: .regular)
        let letters = (0..<400).map { _ in generator.random(2) == 0 ? "a" : "b" }.joined()
        let instructions = automata.lookarounds.reduce(0) { sum, lookaround in
            sum + (lookaround.map { $0.table.code.count + ($0.direct?.code.count ?? 0) } ?? 0)
        }
        var mostBytes = 0
        var truths = LookaroundTruths(automata, capacity: RegExpLimits.cacheBytes, directUnitsPerByte: 2)
        Array(letters.utf8).withElements { bytes in
            truths.start(UTF8Units(bytes: bytes), visits: RegExpBudget.unlimited.visits)
            for position in stride(from: 0, through: 400, by: 20) {
                for look in automata.lookarounds.indices {
                    _ = truths.holds(look, at: position)
                    if look % 10 == 0 { mostBytes = max(mostBytes, truths.cachedBytes) }
                }
            }
        }
        #expect(mostBytes > 0)
        #expect(mostBytes <= 2 * RegExpLimits.cacheBytes + 100 * instructions)
        truths.rest()
    }

    private func test(_ scratch: inout LookaroundScratch, _ input: String) -> Bool? {
        Array(input.utf8).withElements { bytes in
            var budget = RegExpBudget.unlimited
            return scratch.test(UTF8Units(bytes: bytes), &budget)
        }
    }

    private func automata(_ pattern: String, flags: String) throws -> AutomatonSet {
        let tree = try PatternParser.parse(Array(pattern.utf16), flags: RegExpFlags(parsing: flags))
        let analysis = PatternAnalysis(tree)
        let prefilter = PrefilterCompiler.compile(tree, analysis, isSticky: flags.contains("y"))
        return try AutomatonCompiler.compile(tree, analysis, prefilter).get()
    }

    private func test(_ automata: AutomatonSet, _ input: String, directUnitsPerByte: Int, capacity: Int) -> Bool? {
        Array(input.utf8).withElements { bytes in
            var scratch = LookaroundScratch(automata, capacity: capacity, directUnitsPerByte: directUnitsPerByte)
            var budget = RegExpBudget.unlimited
            return scratch.test(UTF8Units(bytes: bytes), &budget)
        }
    }
}
