import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// Visitors with a stored decision: permanent audiences are no longer checked for them.
struct StoredEntrancesTests {
    private static let pro = Configs.all(Configs.leaf("plan", "equals", "pro"))

    private static func config(
        _ audiences: [(rules: JSValue, type: JSValue)], ids: [JSValue] = ["1", "2"], matching: JSValue = "any"
    ) -> JSObject {
        Configs.config([
            "audiences": .array(
                audiences.enumerated().map { Configs.audience("\($0)", $1.rules, ["type": $1.type]) }),
            "experiences": [
                .object(
                    Configs.experience(
                        "checkout", id: "10",
                        [
                            "audiences": .array(audiences.indices.map { .string("\($0)") }),
                            "settings": ["matching_options": ["audiences": matching]],
                            "variations": .array(
                                ids.map { .object(Configs.variation("", "v", 50, ["id": $0, "key": $0])) }),
                        ]))
            ],
        ])
    }

    private static func difference(
        _ old: JSObject, _ new: JSObject, semantics: RuleSemantics = .standard, limits: AnalysisLimits = .init()
    ) throws -> ConfigDifference {
        try ConfigDiff(semantics: semantics, limits: limits)
            .difference(from: Configs.data(old), to: Configs.data(new))
    }

    private static func manager(_ config: JSObject, _ semantics: RuleSemantics) throws -> ExperienceManager {
        let model = try ProjectConfig(json: Configs.data(config))
        return ExperienceManager(project: Project(model, options: CompilationOptions(semantics: semantics)))
    }

    private static func isIn(_ person: PopulationVisitor, _ manager: ExperienceManager) -> Bool {
        var visitor = manager.visitor(id: person.visitorID, attributes: person.attributes, state: person.stored)
        var options = DecisionOptions()
        options.locationProperties = JSObject()
        let decision = manager.selectVariation("checkout", for: &visitor, options: options).value
        return decision.reason.map { [.notBucketed, .variationNotFound].contains($0) } ?? true
    }

    @Test func anAudienceThatTurnsTransientIsAskedAgain() throws {
        let permanent = Self.config([(Self.pro, "permanent")]), transient = Self.config([(Self.pro, "transient")])
        let narrower = try Self.difference(permanent, transient)
        #expect(narrower.changesAnswers)
        let experience = narrower.experiences[0]
        #expect(experience.change == .changed && experience.audience == .equivalent)
        #expect(experience.storedAudience == .narrower && experience.storedEnters == nil)
        let person = try #require(experience.storedLeaves)
        #expect(try Self.isIn(person, Self.manager(permanent, .standard)))
        #expect(try !Self.isIn(person, Self.manager(transient, .standard)))
        #expect(narrower.json.contains(#""audience":"narrower","enters":null,"leaves":{"visitorId""#))
        let wider = try Self.difference(transient, permanent).experiences[0]
        #expect(wider.storedAudience == .wider && wider.audience == .equivalent && wider.storedEnters != nil)
        #expect(try !Self.difference(permanent, permanent).changesAnswers)
    }

    /// Rules of a permanent audience change nothing for visitors with a stored decision.
    @Test func permanentAudiencesAreNotCheckedForStoredVisitors() throws {
        let other = Configs.all(Configs.leaf("plan", "equals", "free"))
        let experience = try Self.difference(
            Self.config([(Self.pro, "permanent")]), Self.config([(other, "permanent")])
        ).experiences[0]
        #expect(experience.audience == .changed && experience.storedAudience == .equivalent)
        // Where the variation is gone they are new.
        let gone = try Self.difference(
            Self.config([(Self.pro, "permanent")]), Self.config([(Self.pro, "permanent")], ids: ["1"])
        ).experiences[0]
        #expect(gone.audience == .equivalent && gone.storedAudience == .narrower && gone.storedMoved == 0.5)
    }

    /// Random audiences of both types, against all visitors of a small world in whom each variation is stored.
    @Test(arguments: RuleSemantics.allCases)
    func noVisitorOfASmallWorldContradictsWhatIsSaidOfThoseStored(semantics: RuleSemantics) throws {
        let values: [JSValue?] = [nil, .null, true, "", "a", "A", "ab", "1", "5", 5, 10, ["a"], ["a": 1]]
        let world = values.flatMap { first in
            values.map { second in
                var attributes = JSObject()
                attributes["x"] = first
                attributes["y"] = second
                return attributes
            }
        }
        var counts: [ConfigDifference.AudienceChange: Int] = [:]
        for seed in 0..<caseCount(15) {
            var random = SeededGenerator(seed: seed)
            let rules: [JSValue] = (0..<2).map { _ in
                let condition = RandomConditions.condition(&random, key: random.pick(["x", "y"]), semantics: semantics)
                return Configs.all(
                    Configs.leaf(
                        condition.key ?? "", condition.matchType, condition.value, negated: condition.negation))
            }
            let configs = (0..<2).map { _ in
                Self.config(
                    rules.map { ($0, random.happens(50) ? "permanent" : "transient") },
                    ids: random.happens(70) ? ["1", "2"] : [random.pick(["1", 1]), "3"],
                    matching: random.pick(["any", "all"]))
            }
            let experience = try Self.difference(
                configs[0], configs[1], semantics: semantics, limits: RandomConditions.limits
            ).experiences[0]
            counts[experience.storedAudience, default: 0] += 1
            let managers = try configs.map { try Self.manager($0, semantics) }
            let model = try ProjectConfig(json: Configs.data(configs[0])).experiences[0]
            for id in model.variations.compactMap(\.id) {
                // What is stored but not found is no decision.
                guard model.variation(id: id.key, under: semantics) != nil else { continue }
                for attributes in world {
                    let person = PopulationVisitor(
                        visitorID: "v", attributes: attributes,
                        stored: VisitorState(record: ["bucketing": ["10": .string(id.text)]]))
                    let isIn = managers.map { Self.isIn(person, $0) }
                    let isAllowed =
                        switch experience.storedAudience {
                        case .equivalent: isIn[0] == isIn[1]
                        case .wider: !isIn[0] || isIn[1]
                        case .narrower: isIn[0] || !isIn[1]
                        case .changed, .undecided: true
                        }
                    #expect(
                        isAllowed, "seed \(seed), \(experience.storedAudience), \(id.text): \(attributes)")
                }
            }
            for (person, isInside) in [
                (experience.storedEnters, [false, true]), (experience.storedLeaves, [true, false]),
            ] {
                guard let person else { continue }
                #expect(managers.map { Self.isIn(person, $0) } == isInside, "seed \(seed): \(person.json)")
            }
        }
        #expect((counts[.equivalent] ?? 0) > 0 && (counts[.narrower] ?? 0) > 0, "\(counts)")
    }
}
