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
        let holds = [groups, [RuleGroup(clauses: [[condition]])]].contains {
            SingleRuleSet($0, semantics: semantics).evaluate(against: ["a": "1"])
        }
        #expect(holds == isKnown)
    }

    @Test(arguments: RuleSemantics.allCases) func anInvalidPatternIsNegatedUnderFlatOnly(semantics: RuleSemantics) {
        func matches(negated: Bool) -> Bool {
            Comparisons.evaluate(
                matchType: "regexMatches", value: "x", testAgainst: "(", negated: negated, semantics: semantics)
        }
        #expect(!matches(negated: false))
        #expect(matches(negated: true) == (semantics == .flat))
    }

    /// A leaf on `a`, negated or not, of a type that the document evaluates or not.
    private func matches(type: String?, negated: Bool, _ semantics: RuleSemantics) throws -> Bool {
        var wire = try #require(leaf("a", "equals", "x", negated: negated).objectValue)
        wire["rule_type"] = type.map(JSValue.string)
        return try verdict(rules([.object(wire)]), ["a": negated ? "y" : "x"], semantics).isMatch
    }

    @Test(
        arguments: [
            "weather_condition", "js_condition", "local_time_hour_of_day", "visitor_type", "bucketed_into_experience",
            "Country", "", nil,
        ], RuleSemantics.allCases)
    func onlyFlatLetsALeafOfAnUndocumentedTypeNeverMatch(type: String?, semantics: RuleSemantics) throws {
        for negated in [false, true] {
            #expect(try matches(type: type, negated: negated, semantics) == (semantics != .flat))
        }
    }

    @Test(
        arguments: [
            "city", "country", "cookie", "os", "is_mobile", "visits_count", "generic_bool_key_value",
            "page_tag_custom_4",
        ], RuleSemantics.allCases)
    func aLeafOfADocumentedTypeIsCompared(type: String, semantics: RuleSemantics) throws {
        for negated in [false, true] { #expect(try matches(type: type, negated: negated, semantics)) }
    }

    @Test(arguments: [(nil, true), ("city", true), ("weather_condition", false)] as [(String?, Bool)])
    func aConditionNeedsNoTypeButNoUndocumentedOneEither(type: String?, matches: Bool) {
        let condition = RuleCondition(key: "a", matchType: "equals", value: "x", negation: true, ruleType: type)
        let groups = [RuleGroup(clauses: [[condition]])]
        #expect(SingleRuleSet(groups, semantics: .flat).evaluate(against: [:]) == matches)
    }

    @Test func aDiagnosticNamesATypeThatIsNotEvaluated() {
        var diagnostics: [ConfigDiagnostic] = []
        let tree = RuleTree(rules([leaf("a", "equals", "x", type: "weather_condition")]))
        _ = RuleAdapter(semantics: .flat).flatten(tree, diagnostics: &diagnostics)
        #expect(diagnostics.map(\.path) == ["$.OR[0].AND[0].OR_WHEN[0]"])
        #expect(diagnostics.first?.message.contains("'weather_condition'") == true)
    }

    /// Operators whose value would match an empty text.
    static let emptyMatches: [(String, JSValue)] = [
        ("isIn", "a|"), ("isIn", ["", "a"]), ("isIn", .array((0..<100).map { .string("t\($0)") } + [""])),
        ("regexMatches", ".*"), ("regexMatches", ""), ("regexMatches", "^$"),
    ]

    @Test(arguments: emptyMatches)
    func anAbsentAttributeIsInNoListAndMatchesNoPattern(name: String, operand: JSValue) {
        for negated in [false, true] {
            #expect(holds(name, nil, operand, negated: negated) == negated)
            #expect(holds(name, "", operand, negated: negated) != negated)
        }
    }

    @Test func aValueThatIsUndefinedIsAbsent() {
        #expect(holds("equals", nil, ""))
        #expect(!holds("contains", nil, "undefined"))
        #expect(holds("less", nil, 5, negated: true))
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
