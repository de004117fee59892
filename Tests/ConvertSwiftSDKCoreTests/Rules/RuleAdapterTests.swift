import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct RuleAdapterTests {
    private func flatten(_ rules: JSValue, _ semantics: RuleSemantics = .standard) throws -> (
        groups: [RuleGroup], diagnostics: [ConfigDiagnostic]
    ) {
        var diagnostics: [ConfigDiagnostic] = []
        let groups = RuleAdapter(semantics: semantics)
            .flatten(RuleTree(rules), path: "$.rules", diagnostics: &diagnostics)
        return (groups, diagnostics)
    }

    private static let sound = leaf("a", "equals", "1")

    @Test func everyBlockBecomesOneGroup() throws {
        let blocks: JSValue = ["OR": [block([[Self.sound]]), block([[Self.sound]]), block([[Self.sound]])]]
        #expect(try flatten(blocks).groups.count == 3)
    }

    @Test func aGroupKeepsItsClausesAndTheirLeavesInOrder() throws {
        let leaves = ["a", "b", "c", "d"].map { leaf($0, "equals", "1") }
        let group = try #require(try flatten(rules([leaves[0]], [leaves[1], leaves[2]], [leaves[3]])).groups.first)
        #expect(group.clauses.map { $0.map(\.key) } == [["a"], ["b", "c"], ["d"]])
    }

    @Test func emptyClausesKeepTheirPlace() throws {
        let group = try #require(try flatten(rules([], [Self.sound], [])).groups.first)
        #expect(group.clauses.map(\.count) == [0, 1, 0])
    }

    @Test func aConditionCarriesEverythingTheLeafSays() throws {
        let graph = rules([leaf("visits", "less", 3, negated: true, type: "visits_count")])
        let condition = try flatten(graph).groups.first?.clauses.first?.first
        #expect(
            condition
                == RuleCondition(key: "visits", matchType: "less", value: 3, negation: true, ruleType: "visits_count"))
    }

    @Test func soundRulesGiveNoDiagnostics() throws {
        #expect(try flatten(rules([Self.sound, leaf("b", "exists", nil)])).diagnostics.isEmpty)
    }

    /// Rules, where the defect stands, and how its diagnostic begins.
    static let defects: [(rules: JSValue, path: String, message: String)] = [
        ([:], "$.rules", "OR is missing or empty"),
        (["OR": []], "$.rules", "OR is missing or empty"),
        (["OR": "x"], "$.rules", "OR is missing or empty"),
        ([], "$.rules", "OR is missing or empty"),
        (["OR": [[:]]], "$.rules.OR[0]", "AND is missing or empty"),
        (["OR": [block([[sound]]), ["AND": []]]], "$.rules.OR[1]", "AND is missing or empty"),
        (["OR": ["x"]], "$.rules.OR[0]", "AND is missing or empty"),
        (["OR": [.null]], "$.rules.OR[0]", "null in place of a block"),
        (["OR": [["AND": [[:]]]]], "$.rules.OR[0].AND[0]", "OR_WHEN is missing or empty"),
        (rules([sound], []), "$.rules.OR[0].AND[1]", "OR_WHEN is missing or empty"),
        (["OR": [["AND": [.null]]]], "$.rules.OR[0].AND[0]", "null in place of a clause"),
        (rules([sound, .null]), "$.rules.OR[0].AND[0].OR_WHEN[1]", "null where the rules need an object"),
        (
            rules([["key": "a", "value": "1", "matching": .null]]), "$.rules.OR[0].AND[0].OR_WHEN[0]",
            "null where the rules need an object"
        ),
        (rules([7]), "$.rules.OR[0].AND[0].OR_WHEN[0]", "the leaf names no operator"),
        (rules([["key": "a", "value": "1"]]), "$.rules.OR[0].AND[0].OR_WHEN[0]", "the leaf names no operator"),
        (
            rules([["key": "a", "value": "1", "matching": ["match_type": 7, "negated": false]]]),
            "$.rules.OR[0].AND[0].OR_WHEN[0]", "the leaf names no operator"
        ),
        (
            rules([["key": "a", "value": "1", "matching": ["match_type": "equals"]]]),
            "$.rules.OR[0].AND[0].OR_WHEN[0]", "the leaf has no boolean matching.negated"
        ),
        (
            rules([["key": "a", "value": "1", "matching": ["match_type": "equals", "negated": "true"]]]),
            "$.rules.OR[0].AND[0].OR_WHEN[0]", "the leaf has no boolean matching.negated"
        ),
        (rules([leaf("a", "almost", "1")]), "$.rules.OR[0].AND[0].OR_WHEN[0]", "unknown operator 'almost'"),
        (rules([sound], [leaf("a", "almost", "1")]), "$.rules.OR[0].AND[1].OR_WHEN[0]", "unknown operator 'almost'"),
        (rules([leaf("a", "equals", nil)]), "$.rules.OR[0].AND[0].OR_WHEN[0]", "the leaf has no value"),
        (rules([leaf("a", "isIn", nil)]), "$.rules.OR[0].AND[0].OR_WHEN[0]", "the leaf has no value"),
    ]

    @Test(arguments: defects) func aDefectIsReportedWithItsPlace(rules: JSValue, path: String, message: String) throws {
        let diagnostics = try flatten(rules).diagnostics
        #expect(diagnostics.map(\.path) == [path])
        #expect(diagnostics.first?.message.hasPrefix(message) == true)
    }

    @Test(arguments: defects, RuleSemantics.allCases)
    func aDefectiveConditionNeverMatches(defect: (rules: JSValue, String, String), semantics: RuleSemantics) throws {
        // The attribute makes the sound leaves beside the defects fail.
        #expect(try verdict(defect.rules, ["a": "2"], semantics).isMatch == false)
    }

    @Test func mobileMatchersAreDefectsUnderTheOtherSemantics() throws {
        let graph = rules([leaf("a", "eq", "1")])
        #expect(try flatten(graph, .standard).diagnostics.isEmpty)
        #expect(try flatten(graph, .flat).diagnostics.count == 1)
        #expect(try flatten(graph, .javaScript).diagnostics.count == 1)
    }

    @Test func aDefectIsNeverNegated() throws {
        let graph = rules([["key": "a", "matching": ["match_type": "equals", "negated": true]]])
        #expect(try verdict(graph, ["a": "2"], .standard) == .notMatched)
    }

    @Test func anAlternativeThatHoldsComesBeforeANull() throws {
        #expect(try verdict(rules([Self.sound, .null]), ["a": "1"], .javaScript) == .matched)
    }

    @Test(
        arguments: [
            ["OR": [.null, block([[sound]])]], ["OR": [["AND": [.null, ["OR_WHEN": [sound]]]]]], rules([.null, sound]),
        ] as [JSValue])
    func aNullBeforeWhatHoldsEndsTheRules(rules: JSValue) throws {
        #expect(try verdict(rules, ["a": "1"], .javaScript) == .malformed)
    }

    @Test func diagnosticsAreBounded() throws {
        let bad = JSValue.array((0..<1_000).map { _ in [:] })
        #expect(try flatten(["OR": bad]).diagnostics.count == 200)
    }
}
