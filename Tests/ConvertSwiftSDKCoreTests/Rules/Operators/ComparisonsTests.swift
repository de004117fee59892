import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertValues
import Testing

/// The seven subtle behaviours that the head of `Comparisons` states, in its order, then the rest.
struct ComparisonsTests {
    /// A comparison, and whether it holds.
    typealias Row = (matchType: String, value: JSValue?, testAgainst: JSValue?, holds: Bool)

    private func expectEach(of rows: [Row], under semantics: RuleSemantics = .standard) {
        for row in rows {
            let holds = Comparisons.evaluate(
                matchType: row.matchType, value: row.value, testAgainst: row.testAgainst, semantics: semantics)
            #expect(holds == row.holds, "\(row)")
        }
    }

    @Test(arguments: ["equals", "equalsNumber", "matches"])
    func oneEqualityComparesTextWithoutRegardToCase(matchType: String) {
        expectEach(of: [
            (matchType, "Canada", "CANADA", true), (matchType, "CANADA", "canada", true),
            (matchType, "Canada", "Canad", false),
            // No numbers are compared.
            (matchType, 1, "1.0", false), (matchType, 1, "1", true), (matchType, "1.0", 1, false),
        ])
    }

    @Test func containsLooksForTheRulesTextInTheVisitors() {
        expectEach(of: [
            ("contains", "Summer Sale", "SALE", true), ("contains", "sale", "Summer Sale", false),
            ("contains", "x", "", true), ("contains", "x", " \t\u{a0}", true), ("contains", "", " ", true),
            ("contains", "x", " x", false),
        ])
    }

    @Test func startsWithAndEndsWithDisregardCase() {
        expectEach(of: [
            ("startsWith", "Summer Sale", "sUMMER", true), ("startsWith", "Summer Sale", "Sale", false),
            ("endsWith", "Summer Sale", "sALE", true), ("endsWith", "Summer Sale", "Summer", false),
        ])
    }

    @Test(arguments: [("less", false), ("lessEqual", true)])
    func lessComparesNumbersOnlyWithNumbers(matchType: String, orEqual: Bool) {
        expectEach(of: [
            (matchType, 9, 10, true), (matchType, "9", "10", true), (matchType, "9", 10, true),
            (matchType, 10, "10", orEqual), (matchType, "10", "9", false), (matchType, "1,000", 2000, true),
            (matchType, "x", 10, false), (matchType, 9, "x", false),
        ])
        for spelling in ["1e3", "0x10", "Infinity", "+1", "1,00", ""] {
            expectEach(of: [
                (matchType, .string(spelling), 1_000_000, false), (matchType, -1, .string(spelling), false),
            ])
        }
        // Two texts that are no numbers are ordered, except to the letter of the document.
        expectEach(of: [(matchType, "a", "b", true)])
        expectEach(of: [(matchType, "a", "b", false)], under: .flat)
    }

    @Test func regexMatchesDisregardsCaseAndAnInvalidPatternMatchesNothing() {
        expectEach(of: [
            ("regexMatches", "Canada", "^CAN.DA$", true), ("regexMatches", "Canada", "^C$", false),
            ("regexMatches", "(", "(", false),
        ])
        let negation = Comparisons.evaluate(matchType: "regexMatches", value: "a", testAgainst: "(", negated: true)
        #expect(negation == false)
    }

    @Test func isInLowercasesTheListAlone() {
        expectEach(of: [
            ("isIn", "ca", "US|CA", true), ("isIn", "CA", "US|CA", false), ("isIn", "CA", "us|ca", false),
            ("isIn", "x|ca", "us|ca", true),
            // Empty parts count.
            ("isIn", "", "us||ca", true), ("isIn", "x|", "us|", true), ("isIn", "", "us", false),
        ])
    }

    @Test func presenceTakesTheEmptyTextForAbsent() {
        for value in ["", .null, nil] as [JSValue?] {
            expectEach(of: [
                ("exists", value, nil, false), ("not_exists", value, nil, true), ("doesNotExist", value, nil, true),
            ])
        }
        for value in ["x", 0, false, [], [:]] as [JSValue?] {
            expectEach(of: [
                ("exists", value, nil, true), ("not_exists", value, nil, false), ("doesNotExist", value, nil, false),
            ])
        }
    }

    @Test(
        arguments: [
            ("equals", "x"), ("less", 1), ("lessEqual", 1), ("contains", "x"), ("isIn", "x"), ("startsWith", "x"),
            ("endsWith", "x"), ("regexMatches", "x"), ("exists", nil), ("not_exists", nil), ("doesNotExist", nil),
            ("eq", "x"),
        ] as [(String, JSValue?)])
    func negationInvertsEveryOperator(matchType: String, testAgainst: JSValue?) {
        for value in ["x", "y", 0, 2] as [JSValue] {
            let answers = [false, true].map {
                Comparisons.evaluate(matchType: matchType, value: value, testAgainst: testAgainst, negated: $0)
            }
            // Only two sides of two types hold neither way.
            let haveOrder = !matchType.hasPrefix("less") || value.stringValue == nil
            #expect(answers.count { $0 } == (haveOrder ? 1 : 0), "\(value)")
        }
    }

    @Test func anUndefinedValueIsComparedAsItsText() {
        #expect(Comparisons.evaluate(matchType: "equals", value: nil, testAgainst: "undefined"))
    }

    @Test(arguments: ["equals", "contains", "startsWith", "endsWith"])
    func everyCapitalIsComparedAsItsSmallLetter(matchType: String) {
        for (capital, small) in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz") {
            let (value, operand) = (JSValue.string(String(capital)), JSValue.string(String(small)))
            #expect(Comparisons.evaluate(matchType: matchType, value: value, testAgainst: operand), "\(capital)")
        }
    }

    @Test func aTextThatBeginsOtherwiseAndHoldsTheBeginningLaterDoesNotStartWithIt() {
        let value: JSValue = "abcdx abcde"
        #expect(Comparisons.evaluate(matchType: "startsWith", value: value, testAgainst: "abcde") == false)
    }

    @Test(arguments: [false, true]) func anUnknownOperatorNeverHolds(negated: Bool) {
        #expect(Comparisons.evaluate(matchType: "almost", value: "a", testAgainst: "a", negated: negated) == false)
    }

    @Test func mobileMatchersAreInTheSameTable() {
        #expect(Comparisons.evaluate(matchType: "co", value: "Summer sale", testAgainst: ["winter", "sale"]))
    }

    @Test(arguments: ["equals", "almost", "EQ"]) func onlyMobileMatchersMatchMobileValues(matcher: String) {
        #expect(MobileMatcher(wireName: matcher) == nil)
    }

    @Test(arguments: [("abc", false), ("ab\u{0}", true), ("abcdefgh", false)] as [(JSValue, Bool)])
    func bytesBehindATextAreNotSearched(value: JSValue, holds: Bool) {
        #expect(Comparisons.evaluate(matchType: "contains", value: value, testAgainst: "\u{0}") == holds)
    }

    @Test(arguments: [("TRUE", true), ("true", true), ("yes", false), ("1", false)] as [(JSValue, Bool)])
    func toMobileMatchersATextIsAFlagInAnyCase(value: JSValue, flag: Bool) {
        #expect(Comparisons.evaluate(matchType: "eq", value: value, testAgainst: [.bool(flag)]))
    }

    @Test(arguments: [("co", "\n", false), ("co", "a\r", false), ("co", "\r\n", true), ("nc", "\n", true)])
    func toMobileMatchersALineEndOfTwoCharactersIsOne(matcher: String, part: String, holds: Bool) {
        #expect(Comparisons.evaluate(matchType: matcher, value: "a\r\nb", testAgainst: [.string(part)]) == holds)
    }
}
