import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

struct HostileRulesTests {
    /// As many blocks, clauses or leaves as only an attacker sends; a hundred thousand with CONVERT_CASES=2.
    private static let width = inputSize(100_000, plain: 8_000)

    private static let miss = RuleLeaf(
        ruleType: nil, key: "a", value: "no", matching: .operation(matchType: "equals", negated: false))
    private static let hit = RuleLeaf(
        ruleType: nil, key: "a", value: "yes", matching: .operation(matchType: "equals", negated: false))

    private func isMatch(_ tree: RuleTree) -> Bool {
        SingleRuleSet(RuleAdapter().flatten(tree)).evaluate(against: ["a": "yes"])
    }

    @Test func theLastOfManyLeavesIsReached() {
        let leaves = [RuleLeaf?](repeating: Self.miss, count: Self.width)
        #expect(!isMatch(RuleTree(blocks: [.init(clauses: [.init(leaves: leaves)])])))
        #expect(isMatch(RuleTree(blocks: [.init(clauses: [.init(leaves: leaves + [Self.hit])])])))
    }

    @Test func theLastOfManyClausesIsReached() {
        let clauses = [RuleTree.Clause?](repeating: .init(leaves: [Self.hit]), count: Self.width)
        #expect(isMatch(RuleTree(blocks: [.init(clauses: clauses)])))
        #expect(!isMatch(RuleTree(blocks: [.init(clauses: clauses + [.init(leaves: [Self.miss])])])))
    }

    @Test func theLastOfManyBlocksIsReached() {
        let blocks = [RuleTree.Block?](repeating: .init(clauses: [.init(leaves: [Self.miss])]), count: Self.width)
        #expect(!isMatch(RuleTree(blocks: blocks)))
        #expect(isMatch(RuleTree(blocks: blocks + [.init(clauses: [.init(leaves: [Self.hit])])])))
    }

    @Test func manyLeavesInAConfigAreReached() throws {
        let leaves = JSValue.array((0..<10_000).map { leaf("k\($0)", "equals", "yes") })
        let members: JSObject = [
            "audiences": [["id": "a", "rules": ["OR": [["AND": [["OR_WHEN": leaves]]]]]]],
            "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        let manager = try ExperienceManager(members)
        #expect(manager.decide("e", ["k9999": "yes"]).variation != nil)
        #expect(manager.decide("e", ["k10000": "yes"]).reason == .audienceNotMatched)
    }

    /// Rules without a condition: they match no visitor.
    static let empty: [JSValue] = [
        [:], ["OR": []], ["OR": [[:]]], ["OR": [["AND": []]]], ["OR": [["AND": [[:]]]]],
        ["OR": [["AND": [["OR_WHEN": []]]]]], ["OR": [:]], ["OR": "x"],
        ["AND": [["OR_WHEN": [leaf("a", "exists", nil)]]]],
        ["or": [block([[leaf("a", "exists", nil)]])]], [block([[leaf("a", "exists", nil)]])], "x", 7, true,
        rules([leaf("a", "almost", "yes")]), rules([leaf("a", "almost", "yes", negated: true)]),
    ]

    @Test(arguments: empty, RuleSemantics.allCases)
    func emptyRulesOfAnAudienceMatchNoVisitor(rules: JSValue, semantics: RuleSemantics) throws {
        let manager = try ExperienceManager(
            [
                "audiences": [["id": "a", "rules": rules]],
                "experiences": [experience("e", ["audiences": ["a"]])],
            ], semantics)
        #expect(manager.decide("e", ["a": "yes"]).reason == .audienceNotMatched)
    }

    @Test(arguments: empty, RuleSemantics.allCases)
    func emptyRulesOfAPlaceMatchNoVisitor(rules: JSValue, semantics: RuleSemantics) throws {
        let manager = try ExperienceManager(
            [
                "locations": [["id": "l", "key": "l", "rules": rules]],
                "experiences": [experience("e", ["locations": ["l"]]), experience("f", ["site_area": rules])],
            ], semantics)
        for key in ["e", "f"] {
            let decision = manager.decide(key) { $0.locationProperties = ["a": "yes"] }
            #expect(decision.reason == .locationNotMatched)
        }
    }

    @Test(arguments: empty) func emptyRulesAreReported(rules: JSValue) throws {
        let project = Project(try config(["audiences": [["id": "a", "rules": rules]]]))
        #expect(project.diagnostics.count == 1)
        #expect(project.diagnostics.first?.path.hasPrefix("$.audiences[0].rules") == true)
    }
}
