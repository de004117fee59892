import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// What `.flat` answers beside its recorded vectors, which hold text only.
struct FlatSemanticsTests {
    private func holds(_ name: String, _ value: JSValue?, _ operand: JSValue?, negated: Bool = false) -> Bool {
        Comparisons.evaluate(
            matchType: name, value: value, testAgainst: operand, negated: negated, semantics: .flat)
    }

    @Test(arguments: [true, .null, [1], ["a": 1], "ten"] as [JSValue], ["less", "lessEqual"])
    func onlyNumbersAreOrdered(value: JSValue, name: String) {
        #expect(!holds(name, value, value))
        #expect(holds(name, value, value, negated: true))
        #expect(!holds(name, value, "10"))
        #expect(holds(name, 9, "10"))
    }

    @Test(arguments: ["eq", "ne", "ex", "nx", "gt", "ge", "lt", "le", "co", "nc", "sw", "ew"], RuleSemantics.allCases)
    func mobileMatchersAreOperatorsOfTheStandardSemanticsOnly(name: String, semantics: RuleSemantics) {
        let isKnown = [false, true].contains { negated in
            Comparisons.evaluate(
                matchType: name, value: "1", testAgainst: "1", negated: negated, semantics: semantics)
        }
        #expect(isKnown == (semantics == .standard))
        let groups = [RuleGroup(clauses: [[RuleCondition(key: "a", matchType: name, value: "1", negation: true)]])]
        let condition = RuleCondition(key: "a", matchType: name, value: "1")
        let manager = RuleManager(semantics: semantics)
        let holds = manager.evaluate(rules: groups, against: ["a": "1"])
        #expect((holds || manager.evaluate(rules: [RuleGroup(clauses: [[condition]])], against: ["a": "1"])) == isKnown)
    }

    @Test(arguments: RuleSemantics.allCases) func anInvalidPatternIsNegatedUnderFlatOnly(semantics: RuleSemantics) {
        func matches(negated: Bool) -> Bool {
            Comparisons.evaluate(
                matchType: "regexMatches", value: "x", testAgainst: "(", negated: negated, semantics: semantics)
        }
        #expect(!matches(negated: false))
        #expect(matches(negated: true) == (semantics == .flat))
    }

    @Test(arguments: RuleSemantics.allCases)
    func withoutAValueNotExistsIsCompleteWhereItSeesAbsence(semantics: RuleSemantics) throws {
        let manager = try ExperienceManager(
            [
                "audiences": [["id": "a", "key": "a", "rules": rules([leaf("x", "not_exists", nil)])]],
                "experiences": [experience("e", ["audiences": ["a"]])],
            ], semantics)
        #expect((manager.decide("e").variation != nil) == (semantics != .javaScript))
    }
}
