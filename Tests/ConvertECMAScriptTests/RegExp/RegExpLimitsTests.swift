@testable import ConvertECMAScript
import ConvertTestSupport
import Testing

/// Patterns and inputs that are meant to hurt: each ends soon, with an answer or a typed refusal.
struct RegExpLimitsTests {
    @Test func nestingIsBoundedOnBothSides() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(?:", count: depth) + "a" + String(repeating: ")", count: depth)
        }
        #expect(try RegExp(nested(RegExpLimits.nesting)).exec("ba")?.range == 1..<2)
        let error = #expect(throws: RegExpSyntaxError.self) { try RegExp(nested(RegExpLimits.nesting + 1)) }
        #expect(error?.code == .nestedTooDeep)
        #expect(error?.offset == 3 * RegExpLimits.nesting)
        #expect(throws: RegExpSyntaxError.self) { try RegExp(nested(100_000)) }
    }

    /// Of an even number of negations none is left, so the last `a` has to stand before the match.
    @Test(arguments: [("(", 1..<2), ("(?:", 1..<2), ("(?=", 1..<1), ("(?<!", 2..<2), ("(?i:", 1..<2)])
    func fiveThousandGroupsNest(opening: String, range: Range<Int>) throws {
        let pattern = String(repeating: opening, count: 5_000) + "a" + String(repeating: ")", count: 5_000)
        #expect(try RegExp(pattern).exec("ba")?.range == range)
        #expect(try RegExp("(?:\(pattern)|b)*c").test("bbc"))
    }

    @Test func capturesAreBoundedOnBothSides() throws {
        let pattern = String(repeating: "()", count: RegExpLimits.captures)
        #expect(try RegExp(pattern).exec("")?.groupCount == RegExpLimits.captures)
        let error = #expect(throws: RegExpSyntaxError.self) { try RegExp(pattern + "()") }
        #expect(error?.code == .tooManyCaptures)
        #expect(error?.offset == 2 * RegExpLimits.captures)
    }

    @Test func lengthIsBoundedOnBothSides() throws {
        let longest = "x{" + String(repeating: "0", count: RegExpLimits.patternLength - 4) + "2}"
        #expect(try RegExp(longest).exec("axxx")?.range == 1..<3)
        #expect(#expect(throws: RegExpSyntaxError.self) { try RegExp(longest + "x") }?.code == .tooLarge)
    }

    /// The automaton does not count so far; an input that is long enough for it to matter goes to the backtracker.
    @Test func countsOfAMillionAreExact() throws {
        let expression = try RegExp("^(?:[ab]c?){0,\(RegExpLimits.unboundedCount)}$")
        let longest = String(repeating: "a", count: RegExpLimits.unboundedCount)
        #expect(try expression.test(longest))
        #expect(try !expression.test(longest + "a"))
        #expect(expression.plan.description.contains("over \(RegExpLimits.unboundedCount - 1) bytes"))
    }

    /// Whether a set is merged from its alternatives or not changes no answer.
    @Test func alternativesBeyondWhatIsMergedStayAlternatives() throws {
        let units = (0x100..<0xd000).filter { $0 % 2 == 0 }.compactMap { Unicode.Scalar($0) }
        var pattern = "[" + String(String.UnicodeScalarView(units)) + "]"
        for index in 0..<60 { pattern = "(?:\(pattern)|\(index % 2 == 0 ? "a" : "b"))" }
        let expression = try RegExp("^\(pattern)$")
        for (input, matches) in [("a", true), ("b", true), ("c", false), ("\u{100}", true), ("\u{101}", false)] {
            #expect(try expression.test(input) == matches)
        }
    }

    /// Whatever is repeated as one instruction takes nothing from what copies may add.
    @Test(arguments: 16...22)
    func runsDoNotUseUpWhatCopiesMayAdd(count: Int) throws {
        let pattern = "(?=a)" + String(repeating: "b{0,600}", count: count) + "(?:a|aa)+$"
        #expect(try !RegExp(pattern).test(String(repeating: "a", count: 200) + "!"))
    }

    @Test(arguments: [
        "a{1000000000}", "(?:a|bc){9007199254740991}", "((((a{1000}){1000}){1000}){1000})", "(a?){1000000000}b",
        "(?:ab?){3,1000000000}c",
    ])
    func hugeCountsCostNothing(pattern: String) throws {
        #expect(try !RegExp(pattern).test(String(repeating: "a", count: 1_000)))
    }

    /// The same for loops of the backtracker that count.
    @Test(arguments: ["(?=a)(?:ab?){3,1000000000}c", "(?=a)(?:a?b){0,1000000000}a*c", "(a){2,9007199254740991}\\1c"])
    func hugeCountsAreCounted(pattern: String) throws {
        #expect(try !RegExp(pattern).test(String(repeating: "a", count: 300)))
        #expect(try RegExp(pattern).test(String(repeating: "a", count: 300) + "c") == (pattern.last == "c"))
    }

    @Test func countsAreExactBeyondCopies() throws {
        #expect(try RegExp("^(?:ab){5000}$").test(String(repeating: "ab", count: 5_000)))
        #expect(try !RegExp("^(?:ab){5000}$").test(String(repeating: "ab", count: 4_999)))
        #expect(try RegExp("^(?:(ab)|c){5000}$").exec(String(repeating: "ab", count: 4_999) + "c")?[1] == nil)
        #expect(try RegExp("^(?:ab){2,5000}?(?=ab$)").exec(String(repeating: "ab", count: 5_000))?.range == 0..<9_998)
    }

    @Test func longPatternsCompile() throws {
        let literal = (0..<3_500).map { "\($0)," }.joined()
        #expect(try RegExp(literal).exec("x" + literal)?.range == 1..<literal.utf8.count + 1)
        // Half of the instructions are alive at each position. Eight thousand with CONVERT_CASES=2.
        let pairs = inputSize(8_000, plain: 200)
        let repeated = String(repeating: "ab", count: pairs)
        #expect(try RegExp(repeated).exec("x" + repeated)?.range == 1..<2 * pairs + 1)
        let alternatives = (0..<3_000).map { "key\($0)" }.joined(separator: "|")
        #expect(try RegExp(alternatives).test("no key2999x"))
        #expect(try !RegExp("^(?:\(alternatives))$").test("key3000"))
        // Ten thousand with CONVERT_CASES=2.
        let count = inputSize(10_000, plain: 300)
        #expect(try RegExp(String(repeating: "(?:a|b)*", count: count)).exec("abab")?.range == 0..<4)
        #expect(try RegExp(String(repeating: "[^\\u0000]", count: count)).exec("a") == nil)
    }

    /// Sixteen sets that tell every unit from every other one: too many columns for an automaton.
    @Test func setsThatTellAllUnitsApart() throws {
        let pattern = (0..<16).map { bit in
            let units = (0x100..<0xd800).filter { $0 >> bit & 1 == 1 }.compactMap { Unicode.Scalar($0) }
            var text = "[".unicodeScalars
            text.append(contentsOf: units)
            return String(text) + "]"
        }
        let expression = try RegExp(pattern.joined(separator: "|"))
        #expect(expression.plan.executor == .automaton)
        let sequence = try RegExp(pattern.joined())
        #expect(sequence.plan.executor == .backtracker)
        #expect(try sequence.test(String(repeating: "\u{2fff}", count: 16)) == false)
    }

    /// Exponential, and with references before every choice nothing can be remembered.
    @Test func theBudgetEndsAMatch() throws {
        let expression = try RegExp("^(?:(a?){0,5000}){0,5000}\\1!$")
        // All steps that a test has without a budget with CONVERT_CASES=2.
        var budget = RegExpBudget(steps: inputSize(RegExpLimits.steps, plain: RegExpLimits.steps / 100))
        let input = String(repeating: "a", count: 400) + "?!"
        let error = #expect(throws: RegExpBudgetExceeded.self) {
            try input.utf8.withElements { bytes in
                Result { () throws(RegExpBudgetExceeded) in try expression.test(utf8: bytes, budget: &budget) }
            }.get()
        }
        #expect(error?.description.contains("\(RegExpLimits.steps)") == true)
    }

    /// What one text failed at, the next one may match.
    @Test func failedStatesAreForgottenWithTheInput() throws {
        let expression = try RegExp("(?:a|aa)+(?=!)")
        let letters = String(repeating: "a", count: 400)
        #expect(try !expression.test(letters + "?!"))
        #expect(try expression.test(letters + "!"))
    }

    /// A run that failed is not tried again from within.
    @Test(arguments: ["[a-z]+(?=@)", "([a-z]*?)(?=@)a", "[a-z]{3,}@[a-z](?!z)", "([^\\n]+)@(?=x)"])
    func runsAtTheStartAreTriedOnce(pattern: String) throws {
        #expect(try !RegExp(pattern).test(String(repeating: "a", count: inputSize(100_000, plain: 20_000)) + "é@"))
    }

    @Test func runsAtTheStartChangeNoAnswer() throws {
        let words = String(repeating: "a", count: 20_000) + " xé@y"
        #expect(try RegExp("([a-zé]+)@[a-z]").exec(words)?.range == 20_001..<20_005)
        #expect(try RegExp("[a-z]{2,}(?=[ é])").exec("a bb éé ccc ")?.range == 2..<4)
        #expect(try RegExp("a*(?=b)ba*(?=c)").exec("aabaabaac")?.range == 3..<8)
        #expect(try RegExp("(a+?)(?=b)b\\1(?=c)").exec("aabacbaaac")?.range == 1..<4)
    }

    /// At least eight steps for each `ab`: more than the steps that every input gets.
    @Test func longInputsGetMoreSteps() throws {
        let count = RegExpLimits.steps / 8
        #expect(try !RegExp("(?=ab)a(?=b)b(?=c)").test(String(repeating: "ab", count: count)))
    }

    /// Exponential to a backtracker that remembers nothing.
    @Test(arguments: [
        "(?=(a+)+b)c", "(?:(?=a)a|a)*?(?!a)!", "(?:(a|aa)+)+$(?<=b)", "(?=a)(?:a?){50}a{400}(?<=b)", "(x?a?)*(?!)",
    ])
    func whatFailedOnceIsNotTriedAgain(pattern: String) throws {
        #expect(try !RegExp(pattern).test(String(repeating: "a", count: 400) + "?"))
    }

    @Test(arguments: [50, 51, 60, 99, 100, 101])
    func capturesAreFoundWhereOptionalTermsMultiply(count: Int) throws {
        let match = try RegExp("(?:a?){50}(a{50})").exec(String(repeating: "a", count: count))
        #expect(match?.range == 0..<min(count, 100))
        #expect(match?.range(of: 1) == min(count, 100) - 50..<min(count, 100))
    }

    /// Would never end if time were not linear.
    @Test(arguments: ["(a+)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?:.*)*=", "(x+x+)+y", "(a|b)*[ab]{8}c"])
    func regularPatternsNeverGiveUp(pattern: String) throws {
        #expect(try !RegExp(pattern).test(String(repeating: "a", count: inputSize(200_000, plain: 20_000)) + "!"))
        #expect(try !RegExp(pattern).test(String(repeating: "é", count: 2_000) + "!"))
    }

    /// In ASCII and beyond, for the automaton and for the backtracker; a million units with CONVERT_CASES=2.
    @Test(arguments: ["[b-y]+z", "(?=z)z"])
    func longInputsAreNoTrouble(pattern: String) throws {
        let expression = try RegExp(pattern)
        let count = inputSize(100_000, plain: 5_000)
        let ascii = String(repeating: "abcdefghij", count: count)
        #expect(try !expression.test(ascii))
        #expect(try expression.test(ascii + "bz"))
        let others = String(repeating: "é", count: count)
        #expect(try !expression.test(others))
        #expect(try expression.test(others + "bz"))
    }

    /// What every match contains is looked for first; it changes no answer.
    @Test(arguments: [
        ("see a@shop.example.com", true), ("see @shop.example.com", false), ("see a@shop.example.org", false),
        ("@SHOP.EXAMPLE.COM a@Shop.Example.Com", true), ("é@shop.example.com ü a_@shop.example.com.", true),
        ("", false),
    ])
    func requiredLiteralsChangeNoAnswer(input: String, matches: Bool) throws {
        #expect(try RegExp("[a-z]+_?@shop\\.example\\.com", flags: "i").test(input) == matches)
        #expect(try RegExp("[a-z]+_?@shop\\.example\\.com(?!x)", flags: "i").test(input) == matches)
    }
}
