import ConvertTestSupport
import ConvertAnalysis
import ConvertECMAScript
import Testing

/// Experiences that ask about others whose rules are too large to be replaced by what they ask.
struct DependantLimitsTests {
    private static func question(_ id: String, _ key: String) -> JSValue {
        Configs.audience(
            id,
            Configs.all(
                Configs.leaf("x", "equals", .string(key), negated: true, type: "bucketed_into_experience_key")))
    }

    /// Experiences each of which keeps out the visitors of the one before it.
    private static func chain(of count: Int, sharing share: JSValue) -> JSObject {
        Configs.config([
            "audiences": .array((1..<count).map { question("\($0)", "e\($0 - 1)") }),
            "experiences": .array(
                (0..<count).map { place in
                    var changes: JSObject = [
                        "variations": [.object(Configs.variation("1", "v", place == 0 ? share : 50))]
                    ]
                    if place > 0 { changes["audiences"] = [.string("\(place)")] }
                    return .object(Configs.experience("e\(place)", id: "9\(place)", changes))
                }),
        ])
    }

    /// An experience that keeps out the visitors of one with many conditions.
    private static func pair(conditions: Int, sharing share: JSValue) -> JSObject {
        let leaves = (0..<conditions).map { Configs.leaf("plan", "equals", .string("plan \($0)")) }
        return Configs.config([
            "audiences": [Configs.audience("5", Configs.rules([[leaves]])), question("6", "a")],
            "experiences": [
                .object(
                    Configs.experience(
                        "a", id: "10",
                        ["audiences": ["5"], "variations": [.object(Configs.variation("1", "v", share))]])),
                .object(Configs.experience("b", id: "11", ["audiences": ["6"]])),
            ],
        ])
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    /// Experiences each of which has a condition of its own and keeps out the visitors of all before it.
    private static func group(of count: Int, sharing share: JSValue) -> JSObject {
        let own = (0..<count).map { place in
            Configs.audience("8\(place)", Configs.all(Configs.leaf("plan", "equals", .string("plan \(place % 3)"))))
        }
        return Configs.config([
            "audiences": .array((0..<count).map { question("7\($0)", "e\($0)") } + own),
            "experiences": .array(
                (0..<count).map { place in
                    let audiences = ["8\(place)"] + (0..<place).map { "7\($0)" }
                    return .object(
                        Configs.experience(
                            "e\(place)", id: "9\(place)",
                            [
                                "settings": ["matching_options": ["audiences": "all"]],
                                "audiences": .array(audiences.map { .string($0) }),
                                "variations": [.object(Configs.variation("1", "v", place == 0 ? share : 50))],
                            ]))
                }),
        ])
    }

    @Test func everyDependantInALargeGroupOfExperiencesThatExcludeOneAnotherIsDecided() throws {
        let found = try Self.difference(Self.group(of: 10, sharing: 50), Self.group(of: 10, sharing: 20)).experiences
        for place in 1..<10 where place % 3 == 0 {
            #expect(found[place].dependence?.dependsOn.contains("e0") == true, "\(place)")
            #expect(
                found[place].dependence?.change == .changed || found[place].dependence?.change == .wider, "\(place)")
        }
        #expect(found.allSatisfy { !$0.isUndecided })
    }

    @Test func aDependantOfALongChainIsListed() throws {
        let count = inputSize(80, plain: 66)
        let chain = Self.chain(of: count, sharing: 50)
        let found = try Self.difference(chain, Self.chain(of: count, sharing: 0)).experiences
        for place in 1..<count {
            #expect(found[place].dependence?.dependsOn.last == "e0", "\(place)")
            #expect(found[place].changesAnswers)
        }
        #expect(found[count - 1].dependence?.change == .undecided && found[count - 1].isUndecided)
        #expect(try !Self.difference(chain, chain).changesAnswers)
    }

    @Test func aDependantOfAnExperienceWithManyConditionsIsListed() throws {
        let found = try Self.difference(
            Self.pair(conditions: 2_100, sharing: 50), Self.pair(conditions: 2_100, sharing: 20)
        ).experiences[1]
        #expect(found.dependence?.dependsOn == ["a"] && found.dependence?.change == .undecided)
        let other = try Self.difference(
            Self.pair(conditions: 2_100, sharing: 50), Self.pair(conditions: 2_101, sharing: 50)
        ).experiences[1]
        #expect(other.dependence?.change == .undecided && other.isEntered && other.isLeft)
        let few = try Self.difference(
            Self.pair(conditions: 20, sharing: 50), Self.pair(conditions: 20, sharing: 20)
        ).experiences[1]
        #expect(few.dependence?.change == .wider)
    }
}
