import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct ComparisonsTests {
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
        #expect(Comparisons.evaluate(mobileMatcher: matcher, value: "a", values: ["a"]) == false)
    }

    @Test(arguments: [("abc", false), ("ab\u{0}", true), ("abcdefgh", false)] as [(JSValue, Bool)])
    func whatLiesBehindATextIsNotSearched(value: JSValue, holds: Bool) {
        #expect(Comparisons.evaluate(matchType: "contains", value: value, testAgainst: "\u{0}") == holds)
    }

    @Test(arguments: [("TRUE", true), ("true", true), ("yes", false), ("1", false)] as [(JSValue, Bool)])
    func toMobileMatchersATextIsAFlagInAnyCase(value: JSValue, flag: Bool) {
        #expect(Comparisons.evaluate(mobileMatcher: "eq", value: value, values: [.bool(flag)]))
    }

    @Test(arguments: [("co", "\n", false), ("co", "a\r", false), ("co", "\r\n", true), ("nc", "\n", true)])
    func toMobileMatchersALineEndOfTwoCharactersIsOne(matcher: String, part: String, holds: Bool) {
        #expect(
            Comparisons.evaluate(mobileMatcher: matcher, value: "a\r\nb", values: [.string(part)]) == holds)
    }
}
