import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// Witnesses of findings in random configs. The decision engine explains them, as `convert-sdk decide --explain` does.
struct WitnessTests {
    /// What a random config has: audiences that ask about an experience, and conditions besides.
    private struct Sample {
        var config = JSObject()
        /// The conditions beside the question.
        var others: [RuleCondition] = []
        var keepsOut = false
        /// Whether all conditions of the audience must hold, or one of them.
        var asksForAll = false
    }

    private static func leaf(_ condition: RuleCondition) -> JSValue {
        Configs.leaf(condition.key ?? "", condition.matchType, condition.value, negated: condition.negation)
    }

    private static func sample(_ random: inout SeededGenerator, _ semantics: RuleSemantics) -> Sample {
        var sample = Sample()
        sample.keepsOut = random.happens(50)
        sample.asksForAll = random.happens(50)
        sample.others = random.list(upTo: 2) {
            RandomConditions.condition(&$0, key: $0.pick(["x", "y"]), semantics: semantics)
        }
        let target = random.pick(["first", "second"])
        let question = Configs.leaf(
            "q", "equals", .string(target), negated: sample.keepsOut, type: "bucketed_into_experience_key")
        let leaves = [question] + sample.others.map(leaf)
        let always = [
            [[Configs.leaf("x", "exists", nil)]],
            [
                [
                    Configs.leaf("x", "doesNotExist", nil),
                    leaf(RandomConditions.condition(&random, semantics: semantics)),
                ]
            ],
        ]
        func experience(_ key: String, _ id: String, _ audiences: [JSValue]) -> JSValue {
            let arms = random.happens(50) ? [50, 50] : [random.int(1...40), random.int(0...40)]
            return .object(
                Configs.experience(
                    key, id: id,
                    [
                        "audiences": .array(audiences),
                        "variations": .array(
                            arms.enumerated().map {
                                .object(Configs.variation("\(id)\($0)", "v\($0)", .integer($1)))
                            }),
                    ]))
        }
        var experiences = [experience("first", "1", ["5"]), experience("second", "2", [])]
        if random.happens(30) { experiences[1] = experience("second", "2", ["6"]) }
        if random.happens(50) { experiences.swapAt(0, 1) }
        let condition = RandomConditions.condition(&random, key: "y", semantics: semantics)
        sample.config = Configs.config([
            "audiences": [
                Configs.audience(
                    "5", Configs.rules(sample.asksForAll ? [leaves.map { [$0] }] : leaves.map { [[$0]] })),
                Configs.audience("6", Configs.rules(always)),
                Configs.audience(
                    "7", Configs.rules([[[leaf(condition)], [Configs.leaf("y", "contains", " ", negated: false)]]])),
            ],
            "experiences": .array(experiences + [experience("third", "3", ["7"]), experience("fourth", "4", ["6"])]),
        ])
        return sample
    }

    @Test func theEngineAgreesWithWitnesses() throws {
        var counts: [LintCode: Int] = [:]
        for semantics in RuleSemantics.allCases {
            for seed in 0..<caseCount(25, plain: 10) {
                var random = SeededGenerator(seed: seed)
                try check(Self.sample(&random, semantics), semantics, "seed \(seed), \(semantics)", &counts)
            }
        }
        let codes: [LintCode] = [
            .audienceAlwaysHolds, .conditionAlwaysHolds, .conditionsOverridden, .exclusionOrder, .allocationBelow,
        ]
        for code in codes { #expect((counts[code] ?? 0) > 0, "\(code): \(counts)") }
    }

    private func check(
        _ sample: Sample, _ semantics: RuleSemantics, _ seed: String, _ counts: inout [LintCode: Int]
    ) throws {
        let data = Configs.data(sample.config)
        let model = try ProjectConfig(json: data)
        let keys = model.experiences.compactMap(\.key)
        let manager = ExperienceManager(project: Project(model, options: CompilationOptions(semantics: semantics)))
        func explain(_ key: String, _ person: PopulationVisitor) -> Explanation {
            let visitor = manager.visitor(id: person.visitorID, attributes: person.attributes, state: person.stored)
            var options = DecisionOptions()
            options.locationProperties = person.locationProperties ?? JSObject()
            return manager.explain(key, for: visitor, options: options)
        }
        func isLetIn(_ key: String, _ person: PopulationVisitor) -> Bool {
            let explanation = explain(key, person)
            return explanation.variation != nil || explanation.reason == .notBucketed
        }
        for finding in try ConfigLint(semantics: semantics, limits: RandomConditions.limits).findings(in: data) {
            guard let witness = finding.witness else { continue }
            let place = "\(seed): \(finding.code.rawValue) \(finding.path) \(witness.json)"
            let number = finding.path.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
            counts[finding.code, default: 0] += 1
            switch finding.code {
            case .allocationBelow: #expect(explain(keys[number], witness).reason == .notBucketed, "\(place)")
            case .audienceAlwaysHolds: #expect(number != 1 || isLetIn("fourth", witness), "\(place)")
            case .conditionAlwaysHolds where number == 2:
                if finding.path.hasSuffix("AND[1].OR_WHEN[0]") {
                    let condition = RuleCondition(key: "y", matchType: "contains", value: " ")
                    #expect(TriedRules([RuleGroup(clauses: [[condition]])], semantics).areMet(by: witness.attributes))
                }
            case .conditionsOverridden:
                // The question alone decides; the other conditions say the opposite.
                let groups =
                    sample.asksForAll
                    ? [RuleGroup(clauses: sample.others.map { [$0] })]
                    : sample.others.map { RuleGroup(clauses: [[$0]]) }
                let others = TriedRules(groups, semantics).areMet(by: witness.attributes)
                #expect(isLetIn("first", witness) == sample.asksForAll, "\(place)")
                #expect(others != sample.asksForAll, "\(place)")
            case .exclusionOrder:
                var visitor = manager.visitor(
                    id: witness.visitorID, attributes: witness.attributes, state: witness.stored)
                var options = DecisionOptions()
                options.locationProperties = witness.locationProperties ?? JSObject()
                let decisions = manager.selectVariations(for: &visitor, options: options).value
                #expect((decisions[number].variation != nil) == sample.keepsOut, "\(place)")
                #expect(witness.stored.isEmpty, "\(place)")
            default: break
            }
        }
    }

    /// The plain cases, in each of which a visitor must be found.
    @Test func plainCasesHaveAWitness() throws {
        func witness(_ code: LintCode, _ config: JSObject) throws -> PopulationVisitor? {
            try ConfigLint().findings(in: Configs.data(config)).first { $0.code == code }?.witness
        }
        let pro = Configs.leaf("plan", "equals", "pro")
        let overridden = try witness(.conditionsOverridden, SeededDefectsTests.exclusion(of: "first", more: [pro]))
        #expect(overridden?.attributes["plan"] != "pro")
        for keepsOut in [true, false] {
            let late = SeededDefectsTests.exclusion(of: "first", order: ["second", "first"], keepsOut: keepsOut)
            #expect(try witness(.exclusionOrder, late) != nil)
        }
        #expect(try witness(.exclusionOrder, SeededDefectsTests.exclusion(of: "second")) != nil)
        #expect(
            try witness(
                .allocationBelow, SeededDefectsTests.variations(Configs.variation("1", "a", 99.99))) != nil)
        let always = Configs.rules([[[Configs.leaf("a", "exists", nil)]], [[Configs.leaf("a", "doesNotExist", nil)]]])
        #expect(try witness(.audienceAlwaysHolds, Configs.audienceConfig(always)) != nil)
        let condition = Configs.all(Configs.leaf("p", "isIn", 5, negated: true), pro)
        let met = try #require(try witness(.conditionAlwaysHolds, Configs.audienceConfig(condition)))
        // The witness meets the other conditions of the group, too.
        #expect(met.attributes["plan"] == "pro" && met.attributes["p"] != nil)
    }
}
