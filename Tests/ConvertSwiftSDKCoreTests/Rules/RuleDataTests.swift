import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct RuleDataTests {
    /// Answers by the condition's key.
    struct Table: RuleData {
        let answers: [String: RuleDataAnswer]

        func answer(for condition: RuleCondition) -> RuleDataAnswer { answers[condition.key ?? ""] ?? .unsupported }
    }

    private func verdict(
        _ clauses: [[RuleCondition]], _ answers: [String: RuleDataAnswer], _ semantics: RuleSemantics = .standard
    ) -> RuleVerdict {
        SingleRuleSet([RuleGroup(clauses: clauses)], semantics: semantics).verdict(answeredBy: Table(answers: answers))
    }

    private func condition(_ key: String, negation: Bool = false) -> RuleCondition {
        RuleCondition(key: key, matchType: "equals", value: "1", negation: negation)
    }

    @Test(
        arguments: [
            (.value("1"), .matched), (.value("2"), .notMatched), (.value(nil), .notMatched), (.result(true), .matched),
            (.result(false), .notMatched), (.needMoreData, .needMoreData), (.noDataFound, .noDataFound),
            (.unsupported, .notMatched),
        ] as [(RuleDataAnswer, RuleVerdict)])
    func anAnswerDecidesACondition(answer: RuleDataAnswer, expected: RuleVerdict) {
        #expect(verdict([[condition("a")]], ["a": answer]) == expected)
    }

    @Test(
        arguments: [
            (.value("1"), .notMatched), (.value("2"), .matched), (.value(nil), .matched), (.result(true), .matched),
            (.result(false), .notMatched), (.needMoreData, .needMoreData), (.unsupported, .notMatched),
        ] as [(RuleDataAnswer, RuleVerdict)])
    func onlyComparisonsAreNegated(answer: RuleDataAnswer, expected: RuleVerdict) {
        #expect(verdict([[condition("a", negation: true)]], ["a": answer]) == expected)
    }

    @Test(arguments: ["eq", "ne", "gt", "ge", "lt", "le", "co", "nc", "sw", "ew"], ["", "x", false, 0] as [JSValue])
    func aMobileMatcherNeverHoldsForAValueThatRuleDataDoesNotHave(matcher: String, value: JSValue) {
        for negation in [false, true] {
            let condition = RuleCondition(key: "a", matchType: matcher, value: value, negation: negation)
            #expect(verdict([[condition]], ["a": .value(nil)]) == .notMatched)
        }
    }

    @Test(arguments: [("ex", RuleVerdict.notMatched), ("nx", .matched)])
    func aValueThatRuleDataDoesNotHaveIsAbsentToMatchersOfPresence(matcher: String, expected: RuleVerdict) {
        let condition = RuleCondition(key: "a", matchType: matcher, value: nil, negation: false)
        #expect(verdict([[condition]], ["a": .value(nil)]) == expected)
    }

    @Test func anAlternativeThatHoldsHidesLaterMissingData() {
        #expect(verdict([[condition("a"), condition("b")]], ["a": .value("1"), "b": .needMoreData]) == .matched)
    }

    @Test(arguments: RuleSemantics.allCases)
    func javaScriptAloneForgetsMissingDataWhenALaterClauseHolds(semantics: RuleSemantics) {
        let answers: [String: RuleDataAnswer] = ["a": .needMoreData, "b": .value("1")]
        let expected: RuleVerdict = semantics == .javaScript ? .matched : .needMoreData
        #expect(verdict([[condition("a")], [condition("b")]], answers, semantics) == expected)
    }

    @Test(arguments: RuleSemantics.allCases)
    func aLaterClauseThatFailsOutweighsMissingData(semantics: RuleSemantics) {
        let answers: [String: RuleDataAnswer] = ["a": .needMoreData, "b": .value("2")]
        #expect(verdict([[condition("a")], [condition("b")]], answers, semantics) == .notMatched)
    }

    @Test func missingDataEndsTheRulesBeforeALaterGroup() {
        let rules = [RuleGroup(clauses: [[condition("a")]]), RuleGroup(clauses: [[condition("b")]])]
        let data = Table(answers: ["a": .noDataFound, "b": .value("1")])
        #expect(SingleRuleSet(rules).verdict(answeredBy: data) == .noDataFound)
    }

    @Test func underFlatEveryConditionIsAsked() {
        let answers: [String: RuleDataAnswer] = ["a": .value("1"), "b": .noDataFound]
        #expect(verdict([[condition("a"), condition("b")]], answers, .flat) == .noDataFound)
    }

    @Test func aDefectIsNotAskedAbout() throws {
        let graph = rules([leaf("a", "almost", "1")])
        let groups = RuleAdapter().flatten(RuleTree(graph))
        let data = Table(answers: ["a": .result(true)])
        #expect(SingleRuleSet(groups).verdict(answeredBy: data) == .notMatched)
    }
}
