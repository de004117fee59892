@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

struct ConfigDiffTests {
    private static func arms(_ weights: [(String, JSValue)], version: JSValue = 10, id: String = "10") -> JSObject {
        Configs.config([
            "experiences": [
                .object(
                    Configs.experience(
                        "checkout", id: id,
                        [
                            "version": version,
                            "variations": .array(
                                weights.enumerated().map { index, arm in
                                    .object(Configs.variation("\(index + 1)", arm.0, arm.1))
                                }),
                        ]))
            ]
        ])
    }

    private static func difference(
        _ old: JSObject, _ new: JSObject, semantics: RuleSemantics = .standard
    ) throws -> ConfigDifference {
        try ConfigDiff(semantics: semantics).difference(from: Configs.data(old), to: Configs.data(new))
    }

    @Test func aConfigDoesNotDifferFromItself() throws {
        let config = Configs.audienceConfig(Configs.all(Configs.leaf("plan", "equals", "pro")))
        let difference = try Self.difference(config, config)
        #expect(!difference.changesAnswers)
        #expect(difference.experiences.map(\.audience) == [.equivalent])
    }

    /// A share for each pair of arms, counted over all bucket values by the layouts that the engine uses.
    @Test func sharesAreThoseOfAllBucketValues() throws {
        let allocations: [[(String, JSValue)]] = [
            [("a", 50), ("b", 50)], [("a", 60), ("b", 40)], [("a", 33.33), ("b", 33.33), ("c", 33.34)],
            [("a", 10), ("b", 10)],
            [("b", 50), ("a", 50)], [("a", 100), ("b", 0)], [("a", 80), ("b", 80)], [("a", 0.005), ("b", 1.015)],
        ]
        for version in [10, 12] as [JSValue] {
            let owners = try allocations.map { try Self.owners(of: Self.arms($0, version: version)) }
            for (allocation, owners) in zip(allocations, owners) {
                let document = Self.arms(allocation, version: version)["experiences"]?.arrayValue?.first
                let shares = BucketShares(
                    of: try #require(ProjectConfig.Experience(document ?? .null)), semantics: .standard)
                for arm in shares.arms {
                    let letter = arm.variationKey?.utf8.first
                    #expect(arm.valueCount == owners.count { $0 != nil && $0 == letter })
                    #expect(arm.share == Double(arm.valueCount) / 10_000)
                }
            }
            for (place, old) in allocations.enumerated() {
                // The other way round the shares are the same.
                for newPlace in place..<allocations.count {
                    let experience = try Self.difference(
                        Self.arms(old, version: version), Self.arms(allocations[newPlace], version: version)
                    ).experiences[0]
                    var moved = 0
                    for (before, after) in zip(owners[place], owners[newPlace]) where before != after { moved += 1 }
                    #expect(experience.moved == Double(moved) / 10_000)
                    #expect(abs(experience.moves.reduce(0) { $0 + $1.share } - experience.moved) < 1e-9)
                }
            }
        }
    }

    @Test func anotherIDDealsVisitorsAnewAndListsTheLargestMoves() throws {
        let half = try Self.difference(
            Self.arms([("a", 60), ("b", 30)]), Self.arms([("a", 60), ("b", 30)], id: "11")
        ).experiences[0]
        #expect(abs(half.moved - 0.54) < 1e-9 && half.moves.count == 6)
        #expect(half.moves.first.map { abs($0.share - 0.18) < 1e-9 && $0.from == "a" } == true)
        #expect(abs(half.moves.reduce(0) { $0 + $1.share } - half.moved) < 1e-9)

        let arms = (0..<500).map { ("v\($0)", JSValue.number(0.2)) }
        let many = try Self.difference(Self.arms(arms), Self.arms(arms, id: "11")).experiences[0]
        #expect(abs(many.moved - 0.998) < 1e-9 && many.moves.count == 1_000)
        #expect(many.moves.shareOfOthers(in: many.moved).map { abs($0 - 0.994) < 1e-9 } == true)
    }

    /// The first letter of the key of the variation that each bucket value gets; `nil` for none.
    private static func owners(of config: JSObject) throws -> [UInt8?] {
        let model = try #require(ProjectConfig.Experience(config["experiences"]?.arrayValue?.first ?? .null))
        let layout = BucketLayout(variations: model.variations, version: model.version)
        let letters = model.variations.map(\.key?.utf8.first)
        return (0..<10_000).map { value in layout.variation(for: Double(value)).flatMap { letters[$0] } }
    }

    /// Visitors of the decision engine itself: new visitors, and visitors that return with the old config's decisions.
    @Test func sharesAreThoseOfVisitors() throws {
        let old = Self.arms([("a", 50), ("b", 30), ("c", 20)])
        let new = Self.arms([("a", 30), ("b", 60)])
        let difference = try Self.difference(old, new).experiences[0]
        let managers = try [old, new].map {
            ExperienceManager(project: Project(try ProjectConfig(json: Configs.data($0))))
        }
        // A million with CONVERT_CASES=250.
        let count = caseCount(4_000, plain: 1_500)
        var moved = 0, storedMoved = 0
        for number in 0..<count {
            var first = managers[0].visitor(id: "v\(number)")
            let before = managers[0].selectVariation("checkout", for: &first).value.variation?.variationKey
            var second = managers[1].visitor(id: "v\(number)")
            if managers[1].selectVariation("checkout", for: &second).value.variation?.variationKey != before {
                moved += 1
            }
            var third = managers[1].visitor(id: "v\(number)", state: first.state)
            if managers[1].selectVariation("checkout", for: &third).value.variation?.variationKey != before {
                storedMoved += 1
            }
        }
        // Four standard deviations of a share that is counted.
        let tolerance = 4 * 0.5 / Double(count).squareRoot()
        #expect(abs(Double(moved) / Double(count) - difference.moved) < tolerance)
        #expect(abs(Double(storedMoved) / Double(count) - difference.storedMoved) < tolerance)
    }

    @Test func aStoredDecisionHoldsAsLongAsItsVariationIsThere() throws {
        let experience = try Self.difference(Self.arms([("a", 50), ("b", 50)]), Self.arms([("a", 100), ("b", 0)]))
            .experiences[0]
        #expect(experience.moved == 0.5)
        #expect(experience.moves == [.init(from: "b", to: "a", share: 0.5)])
        #expect(experience.storedMoved == 0)
        let gone = try Self.difference(Self.arms([("a", 50), ("b", 50)]), Self.arms([("a", 100)])).experiences[0]
        #expect(gone.storedMoves == [.init(from: "b", to: "a", share: 0.5)])
        // Where most visitors get no variation, shares are still of the visitors with one.
        let few = try Self.difference(Self.arms([("a", 15), ("b", 5)]), Self.arms([("a", 15)])).experiences[0]
        #expect(few.moved == 0.05 && few.storedMoves == [.init(from: "b", to: nil, share: 0.25)])
        #expect(few.storedMoved == 0.25)
        #expect(try Self.difference(Self.arms([("a", 0)]), Self.arms([("a", 50)])).experiences[0].storedMoved == 0)
    }

    private static var audiences: [(JSValue, JSValue, ConfigDifference.AudienceChange)] {
        var rows: [(JSValue, JSValue, ConfigDifference.AudienceChange)] = []
        rows.append((Configs.leaf("age", "less", 18), Configs.leaf("age", "less", 21), .wider))
        rows.append((Configs.leaf("age", "less", 21), Configs.leaf("age", "less", 18), .narrower))
        rows.append((Configs.leaf("plan", "equals", "pro"), Configs.leaf("plan", "equals", "free"), .changed))
        rows.append((Configs.leaf("plan", "equals", "pro"), Configs.leaf("plan", "equalsNumber", "pro"), .equivalent))
        rows.append((Configs.leaf("url", "contains", "/shop/"), Configs.leaf("url", "regexMatches", "/shop"), .wider))
        rows.append((Configs.leaf("url", "startsWith", "ab"), Configs.leaf("url", "regexMatches", "^ab"), .equivalent))
        rows.append((Configs.leaf("url", "regexMatches", "(a)\\1"), Configs.leaf("url", "contains", "aa"), .undecided))
        return rows
    }

    @Test(arguments: audiences)
    func audiencesAreComparedByWhomTheyLetIn(
        old: JSValue, new: JSValue, expected: ConfigDifference.AudienceChange
    ) throws {
        let configs = [old, new].map { Configs.audienceConfig(Configs.all($0)) }
        let experience = try Self.difference(configs[0], configs[1]).experiences[0]
        #expect(experience.audience == expected)
        #expect((experience.enters != nil) == [.wider, .changed].contains(expected))
        #expect((experience.leaves != nil) == [.narrower, .changed].contains(expected))
        let managers = try configs.map {
            ExperienceManager(project: Project(try ProjectConfig(json: Configs.data($0))))
        }
        for (person, isInside) in [(experience.enters, [false, true]), (experience.leaves, [true, false])] {
            guard let person else { continue }
            let answers = managers.map { manager in
                var visitor = manager.visitor(id: person.visitorID, attributes: person.attributes, state: person.stored)
                return manager.selectVariation("checkout", for: &visitor).value.variation != nil
            }
            #expect(answers == isInside, "\(person)")
        }
    }

    @Test func additionsRemovalsArchivingAndRenamingAreReported() throws {
        let one = Configs.experience("one", id: "1"), two = Configs.experience("two", id: "2")
        let renamed = Configs.experience("uno", id: "1")
        func config(_ experiences: [JSObject], archived: [JSValue] = []) -> JSObject {
            Configs.config([
                "experiences": .array(experiences.map { .object($0) }), "archived_experiences": .array(archived),
            ])
        }
        let added = try Self.difference(config([one]), config([one, two])).experiences
        #expect(added.map(\.change) == [.none, .added])
        #expect(added[1].moved == 1 && added[1].audience == .wider && added[1].enters != nil)
        let removed = try Self.difference(config([one, two]), config([one])).experiences
        #expect(removed.map(\.change) == [.none, .removed])
        #expect(removed[1].leaves != nil)
        let archived = try Self.difference(config([one]), config([one], archived: ["1"])).experiences
        #expect(archived.map(\.change) == [.archived])
        #expect(archived[0].moves.map(\.to) == [nil, nil])
        let names = try Self.difference(config([one]), config([renamed])).experiences
        #expect(names.map(\.change) == [.renamed] && names[0].key == "uno" && names[0].oldKey == "one")
        #expect(names[0].moved == 0)
        // Another id hashes visitors anew: half of them move by chance.
        let rehashed = try Self.difference(
            Self.arms([("a", 50), ("b", 50)]), Self.arms([("a", 50), ("b", 50)], id: "11"))
        #expect(rehashed.experiences[0].moved == 0.5)
    }

    /// A visitor of one experience is kept out of the other if that is decided later: the order lets visitors in.
    @Test func theOrderOfExclusionsIsCompared() throws {
        let question = Configs.leaf("x", "equals", "one", negated: true, type: "bucketed_into_experience_key")
        let experiences = [
            Configs.experience("one", id: "1"), Configs.experience("two", id: "2", ["audiences": ["5"]]),
            Configs.experience("three", id: "3"),
        ]
        func config(_ order: Int...) -> JSObject {
            Configs.config([
                "audiences": [Configs.audience("5", Configs.all(question))],
                "experiences": .array(order.map { .object(experiences[$0]) }),
            ])
        }
        let visitors = (0..<20).map { PopulationVisitor(visitorID: "v\($0)") }
        func difference(_ new: JSObject) throws -> ConfigDifference {
            try ConfigDiff().difference(
                from: Configs.data(config(0, 1, 2)), to: Configs.data(new), environment: "staging", visitors: visitors)
        }
        let swapped = try difference(config(1, 0, 2))
        #expect(swapped.changesAnswers && swapped.experiences.map(\.reordered) == [["one"], [], []])
        #expect(swapped.experiences.map(\.population?.moved) == [20, 0, 0])
        #expect(swapped.json.contains(#""reordered":["one"]"#))
        let harmless = try difference(config(2, 0, 1))
        #expect(!harmless.changesAnswers && harmless.experiences.allSatisfy { $0.population?.moved == 0 })
    }

    /// A malformed list of archived experiences archives all of them.
    @Test func anArchiveThatCannotBeReadIsCompared() throws {
        let difference = try Self.difference(Configs.config(), Configs.config(["archived_experiences": "none"]))
        #expect(difference.changesAnswers && difference.experiences.map(\.change) == [.archived])
    }

    /// Random rules under every profile: which visitors enter and leave, against all visitors of a small world.
    @Test(arguments: RuleSemantics.allCases)
    func equivalentAudiencesLetInTheSameVisitorsOfASmallWorld(semantics: RuleSemantics) throws {
        let values: [JSValue?] = [
            nil, .null, true, "", "a", "A", "ab", "1", "5", 5, 10, -1, ["a"], ["a", "b"], ["a": 1],
        ]
        func leaf(_ random: inout SeededGenerator) -> JSValue {
            let condition = RandomConditions.condition(&random, key: random.pick(["x", "y"]), semantics: semantics)
            return Configs.leaf(
                condition.key ?? "", condition.matchType, condition.value, negated: condition.negation)
        }
        var counts: [ConfigDifference.AudienceChange: Int] = [:]
        for seed in 0..<caseCount(10, plain: 4) {
            var random = SeededGenerator(seed: seed)
            let shared = leaf(&random)
            let groups: [[[JSValue]]] = (0..<random.int(1...2)).map { _ in
                (0..<random.int(1...2)).map { _ in [leaf(&random)] }
            }
            let others = groups + (random.happens(50) ? [[[shared]]] : [[groups[0][0], [shared]]])
            let configs = [groups, others].map { Configs.audienceConfig(Configs.rules($0)) }
            let experience = try ConfigDiff(semantics: semantics, limits: RandomConditions.limits)
                .difference(from: Configs.data(configs[0]), to: Configs.data(configs[1])).experiences[0]
            counts[experience.audience, default: 0] += 1
            let trees = [groups, others].map {
                RuleAdapter(semantics: semantics).flatten(RuleTree(Configs.rules($0)))
            }
            let tried = trees.map { TriedRules($0, semantics) }
            for first in values {
                for second in values {
                    var attributes = JSObject()
                    attributes["x"] = first
                    attributes["y"] = second
                    let isIn = tried.map { $0.areMet(by: attributes) }
                    let isAllowed =
                        switch experience.audience {
                        case .equivalent: isIn[0] == isIn[1]
                        case .wider: !isIn[0] || isIn[1]
                        case .narrower: isIn[0] || !isIn[1]
                        case .changed, .undecided: true
                        }
                    #expect(isAllowed, "seed \(seed), \(experience.audience): \(attributes)")
                }
            }
        }
        #expect((counts[.equivalent] ?? 0) > 0 && (counts[.wider] ?? 0) > 0, "\(counts)")
    }

    @Test func aPopulationIsCounted() throws {
        let old = Self.arms([("a", 50), ("b", 50)]), new = Self.arms([("a", 100)])
        let visitors = (0..<2_000).map { PopulationVisitor(visitorID: "v\($0)") }
        let difference = try ConfigDiff().difference(
            from: Configs.data(old), to: Configs.data(new), environment: "staging", visitors: visitors)
        let population = try #require(difference.experiences[0].population)
        #expect(difference.visitorCount == 2_000)
        #expect(population.moves.map(\.from) == ["b"] && population.moves.map(\.to) == ["a"])
        #expect((900...1_100).contains(population.moved))
    }

    @Test func featuresThatVisitorsGetOtherwiseAreListed() throws {
        func config(_ size: JSValue, type: String = "integer", share: JSValue = 100, key: JSValue = "form") -> JSObject
        {
            let change: JSValue = [
                "id": 1, "type": "fullStackFeature", "data": ["feature_id": 7, "variables_data": ["size": size]],
            ]
            return Configs.config([
                "features": [["id": 7, "key": key, "variables": [["key": "size", "type": .string(type)]]]],
                "experiences": [
                    .object(
                        Configs.experience(
                            "checkout", id: "10",
                            ["variations": [.object(Configs.variation("1", "a", share, ["changes": [change]]))]]))
                ],
            ])
        }
        #expect(try Self.difference(config(1), config(1)).features.isEmpty)
        let changed = try Self.difference(config(1), config(2)).features
        let values = ConfigDifference.Feature.Values(
            experience: "checkout", variation: "a", before: #"{"size":1}"#, after: #"{"size":2}"#, isDealtBefore: true,
            isDealtAfter: true)
        #expect(changed == [.init(key: "form", change: .changed, experiences: ["checkout"], values: [values])])
        // Another spelling of the value that visitors get is no change; another type of the value is.
        #expect(try !Self.difference(config(1), config("1", type: "float")).changesAnswers)
        let text = try Self.difference(config(1), config(1, type: "string")).features.first
        #expect(text?.values.map(\.after) == [#"{"size":"1"}"#])
        // Without visitors of its variation the feature is off for new ones.
        let stopped = try Self.difference(config(1), config(1, share: 0)).features.first?.values.first
        #expect(stopped?.isDealtBefore == true && stopped?.isDealtAfter == false && stopped?.after == #"{"size":1}"#)
        var undeclared = config(1)
        undeclared["features"] = []
        let lost = try Self.difference(config(1), undeclared)
        #expect(lost.features.map(\.lostKey) == ["form"] && lost.features.map(\.change) == [.removed])
        #expect(lost.headline.contains("Calls by the old key get nothing: feature form."))
        #expect(try Self.difference(config(1), Self.arms([("a", 100)])).features.map(\.change) == [.removed])
    }

    @Test func goalsWhoseKeysAreGoneAreListed() throws {
        func config(_ goals: JSValue...) -> JSObject { Configs.config(["goals": .array(goals)]) }
        let (order, lead): (JSValue, JSValue) = (["id": "90", "key": "order"], ["id": "91", "key": "lead"])
        let old = config(order, lead)
        #expect(try !Self.difference(old, config(lead, order)).changesAnswers)
        let found = try Self.difference(old, config(["id": "90", "key": "purchase"]))
        #expect(
            found.goals == [
                ConfigDifference.Goal(oldKey: "order", key: "purchase"),
                ConfigDifference.Goal(oldKey: "lead", key: nil),
            ])
        #expect(found.changesAnswers && found.headline.hasSuffix("Goals no longer count by their keys: order, lead."))
    }

    @Test func visitorsWhoseFeatureChangesAreCounted() throws {
        func config(_ size: JSValue) -> JSObject {
            let change: JSValue = [
                "type": "fullStackFeature", "data": ["feature_id": 7, "variables_data": ["size": size]],
            ]
            let arms = [Configs.variation("1", "a", 50, ["changes": [change]]), Configs.variation("2", "b", 50)]
            return Configs.config([
                "features": [["id": 7, "key": "form", "variables": []]],
                "experiences": [
                    .object(
                        Configs.experience(
                            "checkout", id: "10", ["variations": .array(arms.map { .object($0) })]))
                ],
            ])
        }
        let found = try ConfigDiff().difference(
            from: Configs.data(config(1)), to: Configs.data(config(2)), environment: "staging",
            visitors: (0..<1_000).map { PopulationVisitor(visitorID: "v\($0)") })
        let moved = try #require(found.features.first?.population).moved
        #expect((400...600).contains(moved) && found.experiences[0].population?.moved == 0)
    }
}
