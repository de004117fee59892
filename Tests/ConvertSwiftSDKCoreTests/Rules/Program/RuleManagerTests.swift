import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct RuleManagerTests {
    private static let sound = RuleCondition(key: "a", matchType: "equals", value: "1")

    @Test(arguments: [[], [RuleGroup(clauses: [])], [RuleGroup(clauses: [[]])], [RuleGroup(clauses: [[sound], []])]])
    func emptyRulesNeverMatch(rules: [RuleGroup]) {
        #expect(SingleRuleSet(rules).evaluate(against: ["a": "1"]) == false)
    }

    @Test func anEmptyGroupDoesNotTakeTheOthersDown() {
        let rules = [RuleGroup(clauses: []), RuleGroup(clauses: [[Self.sound]])]
        #expect(SingleRuleSet(rules).evaluate(against: ["a": "1"]))
    }

    @Test(arguments: ["equals", "doesNotExist", "not_exists"], [false, true])
    func withoutDataNothingHolds(matchType: String, negated: Bool) {
        let condition = RuleCondition(key: "a", matchType: matchType, value: "1", negation: negated)
        #expect(SingleRuleSet([RuleGroup(clauses: [[condition]])]).evaluate(against: nil) == false)
    }

    @Test func attributeNamesMatchByCodeUnits() {
        let condition = RuleCondition(key: "caf\u{e9}", matchType: "exists", value: nil)
        let rules = [RuleGroup(clauses: [[condition]])]
        #expect(SingleRuleSet(rules).evaluate(against: ["cafe\u{301}": "1"]) == false)
        #expect(SingleRuleSet(rules).evaluate(against: ["caf\u{e9}": "1"]))
    }

    @Test func aDottedNameIsNoPath() {
        let condition = RuleCondition(key: "a.b", matchType: "exists", value: nil)
        #expect(SingleRuleSet([RuleGroup(clauses: [[condition]])]).evaluate(against: ["a": ["b": 1]]) == false)
    }

    @Test func theSmallestOfKeysThatDifferInCaseCountsInAnyOrder() {
        let rules = [RuleGroup(clauses: [[RuleCondition(key: "A", matchType: "equals", value: "1")]])]
        let manager = SingleRuleSet(rules, keysAreCaseSensitive: false)
        #expect(manager.evaluate(against: ["a": "2", "A": "1"]))
        #expect(manager.evaluate(against: ["A": "1", "a": "2"]))
        #expect(manager.evaluate(against: ["a": "1", "A": "2"]) == false)
    }

    @Test func oneAttributeServesConditionsOfEveryKind() {
        let conditions = [("equals", "pro" as JSValue), ("isIn", "pro|max"), ("less", "z"), ("contains", "r")]
        let clauses = conditions.map { [RuleCondition(key: "a", matchType: $0.0, value: $0.1)] }
        #expect(SingleRuleSet([RuleGroup(clauses: clauses)]).evaluate(against: ["a": "pro"]))
    }
}
