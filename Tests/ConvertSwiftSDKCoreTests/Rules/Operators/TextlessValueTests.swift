import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// An object with a member `toString` has no text in JavaScript: what would read it throws, and nothing holds.
struct TextlessValueTests {
    static let textless: [JSValue] = [
        ["toString": 1], ["toString": .null], [["toString": 1]], [1, [[["toString": 1]]]],
    ]
    static let operators = ["less", "lessEqual", "contains", "isIn", "startsWith", "endsWith", "regexMatches"]

    @Test(arguments: operators, textless) func noConditionReadsItAsAnAttribute(name: String, value: JSValue) {
        for semantics in RuleSemantics.allCases {
            for negated in [false, true] {
                #expect(
                    !Comparisons.evaluate(
                        matchType: name, value: value, testAgainst: "a", negated: negated, semantics: semantics))
            }
        }
    }

    @Test(arguments: textless, RuleSemantics.allCases)
    func anInvalidPatternReadsItToo(value: JSValue, semantics: RuleSemantics) {
        for negated in [false, true] {
            #expect(
                !Comparisons.evaluate(
                    matchType: "regexMatches", value: value, testAgainst: "[", negated: negated, semantics: semantics))
        }
    }

    @Test(arguments: operators, textless) func aRuleValueWithoutTextNeverMatches(name: String, value: JSValue) {
        if name == "isIn", case .object = value { return }
        for semantics in RuleSemantics.allCases {
            for negated in [false, true] {
                #expect(
                    !Comparisons.evaluate(
                        matchType: name, value: "a", testAgainst: value, negated: negated, semantics: semantics))
            }
        }
    }

    @Test(arguments: ["equals", "equalsNumber", "matches"], [false, true])
    func equalityReadsTheRulesTextUnlessItLooksIntoAList(name: String, negated: Bool) {
        func holds(_ value: JSValue, _ operand: JSValue) -> Bool {
            Comparisons.evaluate(matchType: name, value: value, testAgainst: operand, negated: negated)
        }
        let textless: JSValue = ["toString": 1]
        #expect(!holds("a", textless))
        #expect(!holds(["a": 1], textless))
        #expect(!holds([:], textless))
        #expect(holds([1], textless) == negated)
        #expect(holds(textless, "toString") != negated)
    }

    @Test func anObjectInPlaceOfAListIsAnEmptyOne() {
        #expect(!Comparisons.evaluate(matchType: "isIn", value: "a", testAgainst: ["toString": 1]))
        #expect(Comparisons.evaluate(matchType: "isIn", value: "a", testAgainst: ["toString": 1], negated: true))
    }

    @Test(arguments: textless) func itIsThere(value: JSValue) {
        #expect(Comparisons.evaluate(matchType: "exists", value: value, testAgainst: nil))
        #expect(Comparisons.evaluate(matchType: "doesNotExist", value: value, testAgainst: nil, negated: true))
    }
}
