@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// What others change for visitors whose decision is stored.
struct StoredDependantsTests {
    private static func question(_ id: String, _ key: String, keepsOut: Bool, type: JSValue = "transient") -> JSValue {
        Configs.audience(
            id,
            Configs.all(
                Configs.leaf("x", "equals", .string(key), negated: keepsOut, type: "bucketed_into_experience_key")),
            ["type": type])
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> [ConfigDifference.Experience] {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new)).experiences
    }

    @Test func visitorsLoseTheirVariationWhenAnotherExperienceTakesThem() throws {
        func config(_ share: JSValue, type: JSValue = "transient") -> JSObject {
            Configs.config([
                "audiences": [Self.question("5", "a", keepsOut: true, type: type)],
                "experiences": [
                    .object(
                        Configs.experience(
                            "a", id: "10", ["variations": [.object(Configs.variation("1", "v", share))]])),
                    .object(Configs.experience("b", id: "11", ["audiences": ["5"]])),
                ],
            ])
        }
        let found = try Self.difference(config(50), config(100))[1]
        #expect(found.storedMoved == 1 && found.storedAudience == .narrower && found.disturbance == .ended)
        let stored = try #require(found.storedLeaves?.stored.bucketing)
        #expect(stored["11"]?.isTruthy == true && stored["10"] == nil)
        #expect(try Self.difference(config(50), config(75))[1].storedMoved == 0.5)
        // Visitors of the other experience stay in it, by their stored decisions.
        #expect(try Self.difference(config(50), config(20))[1].storedMoved == 0)
        // A permanent audience is not asked again.
        let kept = try Self.difference(config(50, type: "permanent"), config(100, type: "permanent"))[1]
        #expect(kept.storedMoved == 0 && kept.storedAudience == .equivalent && kept.moved == 0.5)
    }

    @Test func anExampleOfADependantNamesTheEnvironmentOfTheExperienceThatItDependsOn() throws {
        func config(_ share: JSValue) -> JSObject {
            let arms: JSValue = [.object(Configs.variation("1", "v", share))]
            return Configs.config([
                "audiences": [
                    Self.question("5", "z", keepsOut: true), Self.question("6", "x", keepsOut: false),
                ],
                "experiences": [
                    .object(Configs.experience("z", id: "10", ["variations": arms])),
                    .object(Configs.experience("x", id: "11", ["audiences": ["5"], "environment": "production"])),
                    .object(Configs.experience("y", id: "12", ["audiences": ["6"]])),
                ],
            ])
        }
        let found = try Self.difference(config(0), config(100))[2]
        #expect(found.storedLeaves != nil && found.storedLeavesEnvironment == "production")
        #expect(found.dependence?.leaves != nil && found.dependence?.leavesEnvironment == "production")
        #expect(
            found.witnesses.map(\.label) == [
                "leaves (environment production)", "leaves with a stored decision (environment production)",
            ])
    }

    @Test func aVisitorWhoseStoredVariationIsGoneIsKeptOutByAnother() throws {
        func config(_ plans: JSValue) -> JSObject {
            Configs.config([
                "audiences": [
                    Self.question("5", "a", keepsOut: true, type: "permanent"),
                    Self.question("6", "b", keepsOut: false),
                    Configs.audience("7", Configs.all(Configs.leaf("plan", "isIn", plans))),
                ],
                "experiences": [
                    .object(
                        Configs.experience(
                            "a", id: "10",
                            [
                                "audiences": ["6", "7"], "settings": ["matching_options": ["audiences": "all"]],
                                "variations": [.object(Configs.variation("1", "v", 100))],
                            ])),
                    .object(Configs.experience("b", id: "11", ["audiences": ["5"]])),
                ],
            ])
        }
        // Visitors of b come again, and a takes them: b asks its permanent audience again if it lost their variation.
        let found = try Self.difference(config("pro"), config("pro|vip"))[1]
        #expect(found.dependence?.change == .narrower && found.dependence?.dependsOn == ["a"])
        #expect(found.dependence?.leaves?.attributes["plan"] == "vip")
        #expect(found.dependence?.leaves?.stored.bucketing?["11"]?.isTruthy == true)
    }

    @Test func aVisitorThatShowsTwoChangesIsPrintedOnce() throws {
        let plan = Configs.all(Configs.leaf("plan", "equals", "pro"))
        var found = try Self.difference(Configs.audienceConfig(plan), Configs.config())[0]
        #expect(found.enters != nil && found.storedAudience == found.audience)
        found.dependence = ConfigDifference.Dependence(
            dependsOn: ["a"], change: .wider, newVisitors: .wider, hasOwnEdits: true, admittedBefore: nil,
            admittedAfter: nil, enters: found.enters, leaves: nil, entersEnvironment: nil, leavesEnvironment: nil)
        #expect(found.witnesses.map(\.label) == ["enters"])
    }

    /// Graphs of questions; every visitor makes a first call with the old config, and a second one with either.
    @Test func sharesAreThoseOfReturningVisitorsOverRandomGraphs() throws {
        let visitors = 3_000
        var dependants = 0
        for seed in 0..<caseCount(25) {
            var random = SeededGenerator(seed: seed)
            let count = 4
            let edges = (0..<count).map { place in
                (0..<count).filter { $0 != place && random.happens(45) }.prefix(2).map { ($0, random.happens(70)) }
            }
            let types: [JSValue] = (0..<count).map { _ in random.happens(75) ? "transient" : "permanent" }
            func config(_ shares: [Int], _ keys: [String]) -> JSObject {
                var audiences: [JSValue] = []
                let experiences = (0..<count).map { place in
                    let ids = edges[place].map { target, keepsOut in
                        audiences.append(
                            Self.question(
                                "\(audiences.count)", "e\(target)", keepsOut: keepsOut, type: types[place]))
                        return JSValue.string("\(audiences.count - 1)")
                    }
                    return JSValue.object(
                        Configs.experience(
                            keys[place], id: "9\(place)",
                            [
                                "audiences": .array(ids),
                                "variations": [.object(Configs.variation("1", "v", .integer(shares[place])))],
                            ]))
                }
                return Configs.config(["audiences": .array(audiences), "experiences": .array(experiences)])
            }
            let keys = (0..<count).map { "e\($0)" }
            let shares = (0..<count).map { _ in random.pick([30, 60, 100]) }
            var (changed, newKeys) = (shares, keys)
            let place = random.int(0...(count - 1))
            if random.happens(40) { newKeys[place] += "x" } else { changed[place] = random.pick([20, 50, 100]) }
            let (old, new) = (config(shares, keys), config(changed, newKeys))
            let managers = try [old, new].map {
                ExperienceManager(project: Project(try ProjectConfig(json: Configs.data($0))))
            }
            var (stored, moved) = ((0..<count).map { _ in 0 }, (0..<count).map { _ in 0 })
            for number in 0..<visitors {
                var first = managers[0].visitor(id: "v\(number)")
                _ = managers[0].selectVariations(for: &first, options: DecisionOptions())
                let state = first.state
                let answers = managers.map { manager in
                    var visitor = manager.visitor(id: "v\(number)", state: state)
                    return manager.selectVariations(for: &visitor, options: DecisionOptions()).value
                        .map { $0.variation != nil }
                }
                for place in 0..<count where state.bucketing?[PropertyKey("9\(place)")]?.isTruthy ?? false {
                    stored[place] += 1
                    if answers[0][place] != answers[1][place] { moved[place] += 1 }
                }
            }
            for (place, found) in try Self.difference(old, new).enumerated() where stored[place] > 300 {
                let share = Double(moved[place]) / Double(stored[place])
                #expect(
                    abs(share - found.storedMoved) < 0.08, "seed \(seed), e\(place): \(share) \(found.storedMoved)")
                if share > 0.02 {
                    dependants += 1
                    #expect(found.changesAnswers && found.storedAudience != .equivalent, "seed \(seed), e\(place)")
                }
            }
        }
        #expect(dependants > 3)
    }
}
