import ConvertECMAScript
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDKCore

struct ExplanationTests {
    private func explain(
        _ members: JSObject, _ attributes: JSObject = [:], _ change: (inout DecisionOptions) -> Void = { _ in }
    ) throws -> Explanation {
        let manager = try ExperienceManager(members)
        let visitor = manager.visitor(id: "visitor", attributes: attributes)
        return manager.explain("e", for: visitor, options: .located(change))
    }

    private static let restricted: JSObject = [
        "audiences": [
            ["id": "a", "key": "fans", "rules": rules([leaf("x", "equals", "no"), leaf("x", "equals", "yes")])]
        ],
        "experiences": [experience("e", ["audiences": ["a"]])],
    ]

    @Test func anExplanationAgreesWithTheDecision() throws {
        var outcomes: Set<String> = []
        for seed in 0..<600 {
            var random = SeededGenerator(seed: seed)
            let manager = try ExperienceManager(RandomProject.config(&random), random.pick(RuleSemantics.allCases))
            let state = try VisitorState(wire: RandomProject.stored(&random))
            var visitor = manager.visitor(id: "v\(seed)", attributes: RandomProject.properties(&random), state: state)
            // The context's remembered verdicts take part in the second decision only.
            for round in 0..<2 {
                let options = RandomProject.options(&random)
                let explanation = manager.explain("key-0", for: visitor, options: options)
                let decision = manager.selectVariation("key-0", for: &visitor, options: options)
                let label = "seed \(seed), round \(round)" as Comment
                #expect(explanation.reason == decision.reason, label)
                #expect(explanation.source == decision.variation?.source, label)
                #expect(explanation.variation == decision.variation.map { $0.variationKey ?? $0.variationID }, label)
                #expect(
                    explanation.gates.last?.passed == (decision.variation != nil),
                    "\(label), \(explanation.reason?.rawValue ?? "")")
                outcomes.insert(explanation.reason?.rawValue ?? explanation.source?.rawValue ?? "")
            }
        }
        #expect(outcomes.count >= 12, "\(outcomes)")
    }

    @Test func theGatesStandInTheirOrder() throws {
        let members = Self.restricted.deepMerging([
            "segments": [place("s", asking: "x")], "experiences": [experience("e", ["audiences": ["a", "s"]])],
        ])
        let gates = try explain(members, ["x": "yes", "customSegments": ["s"]]).gates
        #expect(
            gates.map(\.kind) == [
                .archived, .environment, .storedDecision, .location, .audiences, .segments, .variations, .selection,
            ])
        #expect(gates.allSatisfy { $0.passed })
    }

    @Test func theAudienceGateSaysThatTheSettingIsMissing() throws {
        var config = Self.restricted
        config["experiences"] = [experience("e", ["audiences": ["a"], "settings": [:]])]
        let detail = try explain(config).gates.first { $0.kind == .audiences }?.detail
        #expect(detail == "0 of 1 to check match, settings.matching_options is missing, 1 attached")
    }

    @Test func theLastGateIsTheClosedOne() throws {
        let gates = try explain(Self.restricted).gates
        #expect(gates.last?.kind == .audiences)
        #expect(gates.map(\.passed) == [true, true, true, true, false])
    }

    @Test func everyConditionReachedIsThereWithBothSides() throws {
        let audiences = try #require(try explain(Self.restricted, ["x": "yes"]).gates.first { $0.kind == .audiences })
        let ruleSet = try #require(audiences.rules.first)
        #expect(ruleSet.subject == "audience fans (a)")
        #expect(ruleSet.verdict == .matched)
        let conditions = try #require(ruleSet.groups.first?.clauses.first?.conditions)
        #expect(conditions.map(\.key) == ["x", "x"])
        #expect(conditions.map(\.attribute) == ["yes", "yes"])
        #expect(conditions.map(\.value) == ["no", "yes"])
        #expect(conditions.map(\.verdict) == [.notMatched, .matched])
    }

    @Test func theAttributeOfAConditionWithADefectIsShown() throws {
        let members: JSObject = [
            "audiences": [["id": "a", "rules": rules([leaf("country", "no such operator", "CH")])]],
            "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        let explanation = try explain(members, ["country": "CH"])
        let rules = try #require(explanation.gates.flatMap(\.rules).first)
        let condition = try #require(rules.groups.first?.clauses.first?.conditions.first)
        #expect(condition.attribute == "CH" && condition.verdict == .notMatched)
    }

    @Test func ruleSetsStandWithTheirOwnGateAlone() throws {
        let gates = try explain(Self.restricted, ["x": "yes"]).gates
        #expect(gates.filter { !$0.rules.isEmpty }.map(\.kind) == [.audiences])
    }

    @Test func everyClauseOfEveryGroupHasItsOwnConditions() throws {
        let leaves = ["a", "b", "c", "d"].map { leaf($0, "equals", "yes") }
        let graph: JSValue = ["OR": [block([[leaves[0]], [leaves[1]]]), block([[leaves[2]], [leaves[3]]])]]
        var members = Self.restricted
        members["audiences"] = [["id": "a", "rules": graph]]
        let gates = try explain(members, ["a": "yes", "c": "yes", "d": "yes"]).gates
        let groups = try #require(gates.first { $0.kind == .audiences }?.rules.first?.groups)
        #expect(
            groups.map { $0.clauses.map { $0.conditions.map(\.key) } } == [[["a"], ["b"]], [["c"], ["d"]]])
    }

    /// An audience that asks for `x` not to be `no`.
    private static let negated: JSObject = [
        "audiences": [["id": "a", "rules": rules([leaf("x", "equals", "no", negated: true)])]],
        "experiences": [experience("e", ["audiences": ["a"]])],
    ]

    @Test(arguments: [("yes", .matched), ("no", .notMatched)] as [(JSValue, Explanation.Verdict)])
    func theVerdictOnAConditionIncludesItsNegation(x: JSValue, verdict: Explanation.Verdict) throws {
        let audiences = try explain(Self.negated, ["x": x]).gates.first { $0.kind == .audiences }
        #expect(audiences?.rules.first?.groups.first?.clauses.first?.conditions.map(\.verdict) == [verdict])
    }

    @Test func aNegatedConditionIsPrintedAsOne() throws {
        let explanation = try explain(Self.negated, ["x": "yes"])
        #expect(explanation.description.contains("+ x (\"yes\") not equals \"no\"\n"))
    }

    @Test func theArmThatIsMarkedBeginsAtItsStartAndEndsBeforeItsEnd() throws {
        let ranges = [("a", 0.0), ("b", 2_000), ("c", 4_000)].map { id, start in
            Explanation.Bucketing.Range(variationID: id, variationKey: nil, start: start, end: start + 2_000)
        }
        var explanation = try explain(["experiences": [experience("e")]])
        explanation.bucketing = Explanation.Bucketing(
            hashInput: "", seed: 0, maxTraffic: 10_000, value: 2_000, layout: .packed, ranges: ranges)
        #expect(explanation.lines.suffix(3).map(\.mark) == [.fails, .holds, .fails])
    }

    @Test func aLineBreakInAnIDStartsNoLine() throws {
        let manager = try ExperienceManager(["experiences": [experience("e")]])
        let explanation = manager.explain("e", for: manager.visitor(id: "visitor\n+ archived"), options: .located())
        #expect(explanation.description.split(separator: "\n").count == explanation.lines.count)
    }

    @Test func conditionsBehindTheAnswerAreNotReached() throws {
        let audiences = try #require(try explain(Self.restricted, ["x": "no"]).gates.first { $0.kind == .audiences })
        #expect(audiences.rules.first?.groups.first?.clauses.first?.conditions.count == 1)
    }

    @Test func rememberedAnswersAreExplainedToo() throws {
        let manager = try ExperienceManager(Self.restricted)
        var visitor = manager.visitor(id: "visitor", attributes: ["x": "yes"])
        _ = manager.selectVariation("e", for: &visitor, options: .located())
        let audiences = manager.explain("e", for: visitor, options: .located()).gates.first { $0.kind == .audiences }
        #expect(audiences?.rules.first?.groups.isEmpty == false)
    }

    @Test func theHashAndTheRangesAreExplained() throws {
        let bucketing = try #require(try explain(["experiences": [experience("e")]]).bucketing)
        #expect(bucketing.hashInput == "id-evisitor")
        #expect(bucketing.seed == 9_999)
        #expect(bucketing.maxTraffic == 10_000)
        #expect(bucketing.value == BucketingManager().bucketValue(visitorID: "visitor", experienceID: "id-e"))
        #expect(bucketing.layout == .packed)
        #expect(bucketing.ranges.map { "\($0.variationID) \($0.start)..<\($0.end)" } == ["only-e 0.0..<10000.0"])
    }

    @Test(arguments: [("e", ""), ("gone", "visitor")]) func withoutVisitorOrExperienceThereAreNoGates(
        key: String, id: String
    ) throws {
        let manager = try ExperienceManager(["experiences": [experience("e")]])
        let explanation = manager.explain(key, for: manager.visitor(id: id))
        #expect(explanation.gates == [])
        #expect(explanation.reason != nil)
    }

    @Test func anExplanationSurvivesEncodingAndDecoding() throws {
        let explanation = try explain(Self.restricted, ["x": "yes"])
        let data = try JSONEncoder().encode(explanation)
        #expect(try JSONDecoder().decode(Explanation.self, from: data) == explanation)
    }
}
