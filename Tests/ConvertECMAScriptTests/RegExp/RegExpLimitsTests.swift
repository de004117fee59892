import ConvertECMAScript
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

    @Test(arguments: ["(", "(?:", "(?=", "(?<!", "(?i:"])
    func fiveThousandGroupsNest(opening: String) throws {
        let pattern = String(repeating: opening, count: 5_000) + "a" + String(repeating: ")", count: 5_000)
        _ = try RegExp(pattern).exec("ba")
        _ = try RegExp("(?:\(pattern)|b)*c").test("ba")
    }

    @Test func capturesAreBoundedOnBothSides() throws {
        let pattern = String(repeating: "()", count: RegExpLimits.captures)
        #expect(try RegExp(pattern).exec("")?.groupCount == RegExpLimits.captures)
        let error = #expect(throws: RegExpSyntaxError.self) { try RegExp(pattern + "()") }
        #expect(error?.code == .tooManyCaptures)
    }

    @Test(arguments: [
        "a{1000000000}", "(?:a|bc){9007199254740991}", "((((a{1000}){1000}){1000}){1000})", "(a?){1000000000}b",
        "(?:ab?){3,1000000000}c",
    ])
    func hugeCountsCostNothing(pattern: String) throws {
        #expect(try !RegExp(pattern).test(String(repeating: "a", count: 1_000)))
    }

    @Test func countsAreExactBeyondCopies() throws {
        #expect(try RegExp("^(?:ab){5000}$").test(String(repeating: "ab", count: 5_000)))
        #expect(try !RegExp("^(?:ab){5000}$").test(String(repeating: "ab", count: 4_999)))
        #expect(try RegExp("^(?:(ab)|c){5000}$").exec(String(repeating: "ab", count: 4_999) + "c")?[1] == nil)
        #expect(try RegExp("^(?:ab){2,5000}?(?=ab$)").exec(String(repeating: "ab", count: 5_000))?.range == 0..<9_998)
    }

    @Test func longPatternsCompile() throws {
        let literal = String(repeating: "ab", count: 50_000)
        #expect(try RegExp(literal).exec("x" + literal)?.range == 1..<100_001)
        let alternatives = (0..<3_000).map { "key\($0)" }.joined(separator: "|")
        #expect(try RegExp(alternatives).test("no key2999x"))
        #expect(try !RegExp("^(?:\(alternatives))$").test("key3000"))
        #expect(try RegExp(String(repeating: "(?:a|b)*", count: 10_000)).exec("abab")?.range == 0..<4)
        #expect(try RegExp(String(repeating: "[^\\u0000]", count: 10_000)).exec("a") == nil)
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

    @Test(arguments: [
        "^(a+)+\\1$", "(?=(a+)+b)c|(?:(a|aa)+)\\2!", "(?:(?=a)a|a)*(a)\\1!", "^(?:(a?){0,5000}){0,5000}\\1!$",
    ])
    func theBudgetEndsEveryMatch(pattern: String) throws {
        let expression = try RegExp(pattern)
        do {
            #expect(try !expression.test(String(repeating: "a", count: 400) + "?"))
        } catch {
            #expect(error.description.contains("steps"))
        }
    }

    /// A budget of steps that an input of this length would use up 100 times over if time were not linear.
    @Test(arguments: ["(a+)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?:.*)*=", "(x+x+)+y", "(a|b)*[ab]{8}c"])
    func regularPatternsNeverGiveUp(pattern: String) throws {
        #expect(try !RegExp(pattern).test(String(repeating: "a", count: 200_000) + "!"))
        #expect(try !RegExp(pattern).test(String(repeating: "é", count: 2_000) + "!"))
    }
}
