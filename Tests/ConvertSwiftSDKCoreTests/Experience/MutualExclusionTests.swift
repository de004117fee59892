import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct MutualExclusionTests {
    private func exclusion(_ key: JSValue, negated: Bool) -> JSValue {
        leaf(nil, "equals", key, negated: negated, type: "bucketed_into_experience_key")
    }

    /// What is decided in `e`, whose audience has `rules`, for a visitor with `stored` decisions.
    private func decide(_ rules: JSValue, stored: JSValue, _ semantics: RuleSemantics = .standard) throws -> Decision
        .Reason?
    {
        let manager = try ExperienceManager(
            [
                "audiences": [["id": "a", "rules": rules]],
                "experiences": [experience("other"), experience("e", ["audiences": ["a"]])],
            ], semantics)
        var visitor = manager.visitor(id: "visitor", state: try VisitorState(wire: ["bucketing": stored]))
        return manager.selectVariation("e", for: &visitor, options: .located()).reason
    }

    @Test(arguments: [false, true], RuleSemantics.allCases)
    func aVisitorOfTheOtherExperienceMatchesUnlessNegated(negated: Bool, semantics: RuleSemantics) throws {
        let reason = try decide(
            rules([exclusion("other", negated: negated)]), stored: ["id-other": "only-other"], semantics)
        #expect(reason == (negated ? .audienceNotMatched : nil))
    }

    @Test(arguments: [false, true], RuleSemantics.allCases)
    func aVisitorOutsideOfTheOtherExperienceMatchesIfNegated(negated: Bool, semantics: RuleSemantics) throws {
        let reason = try decide(rules([exclusion("other", negated: negated)]), stored: [:], semantics)
        #expect(reason == (negated ? nil : .audienceNotMatched))
    }

    @Test(arguments: ["gone", 7, [:]] as [JSValue]) func anythingTruthyThatIsStoredCounts(value: JSValue) throws {
        #expect(try decide(rules([exclusion("other", negated: false)]), stored: ["id-other": value]) == nil)
    }

    @Test(arguments: [.null, 0, "", false] as [JSValue]) func nothingElseDoes(value: JSValue) throws {
        let reason = try decide(rules([exclusion("other", negated: false)]), stored: ["id-other": value])
        #expect(reason == .audienceNotMatched)
    }

    @Test(arguments: [false, true]) func anUnknownExperienceCountsAsOneTheVisitorIsNotIn(negated: Bool) throws {
        let reason = try decide(rules([exclusion("gone", negated: negated)]), stored: [:])
        #expect(reason == (negated ? nil : .audienceNotMatched))
    }

    @Test(arguments: [(1, nil), ("false", nil), (0, .audienceNotMatched)] as [(JSValue, Decision.Reason?)])
    func aNegationCountsByItsTruthiness(negated: JSValue, reason: Decision.Reason?) throws {
        let leaf: JSValue = [
            "rule_type": "bucketed_into_experience_key", "value": "other",
            "matching": ["match_type": "equals", "negated": negated],
        ]
        #expect(try decide(rules([leaf]), stored: [:]) == reason)
    }

    @Test func theTestStandsForTheWholeAudience() throws {
        let graph: JSValue = [
            "OR": [block([[leaf("a", "equals", "yes")], [exclusion("other", negated: true)]])]
        ]
        #expect(try decide(graph, stored: [:]) == nil)
    }

    @Test func theFirstTestOfSeveralCounts() throws {
        let graph = rules([exclusion("other", negated: true)], [exclusion("e", negated: false)])
        #expect(try decide(graph, stored: [:]) == nil)
    }

    @Test func anUnknownExperienceIsReported() throws {
        let audience: JSValue = ["id": "a", "rules": rules([exclusion("gone", negated: true)])]
        let project = Project(try config(["audiences": [audience]]))
        #expect(project.diagnostics.map(\.path) == ["$.audiences[0].rules"])
    }
}
