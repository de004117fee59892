import ConvertAnalysis
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
