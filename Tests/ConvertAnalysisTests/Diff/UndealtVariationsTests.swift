@testable import ConvertAnalysis
import ConvertECMAScript
import Testing

/// What a release does to visitors with a stored decision for a variation that no new visitor gets.
struct UndealtVariationsTests {
    private static func config(_ variations: [JSObject], _ changes: JSObject = [:], id: String = "1") -> JSObject {
        var members = changes
        members["variations"] = .array(variations.map(JSValue.object))
        return Configs.config([
            "experiences": [.object(Configs.experience("a", id: id, members))],
            "features": [["id": "700", "key": "f", "variables": [["key": "v", "type": "integer"]]]],
        ])
    }

    private static func carrying(_ value: String) -> JSObject {
        [
            "changes": [
                ["type": "fullStackFeature", "data": ["feature_id": "700", "variables_data": ["v": .string(value)]]]
            ]
        ]
    }

    private static func difference(_ old: JSObject, _ new: JSObject) throws -> ConfigDifference {
        try ConfigDiff().difference(from: Configs.data(old), to: Configs.data(new))
    }

    @Test func anotherIDOfTheExperienceLosesAllStoredDecisions() throws {
        let arms = [
            Configs.variation("10", "old", 0, Self.carrying("1")),
            Configs.variation("11", "new", 100, Self.carrying("2")),
        ]
        let difference = try Self.difference(Self.config(arms), Self.config(arms, id: "82"))
        let found = difference.experiences[0]
        #expect(found.ids == ["1", "82"] && found.changesAnswers)
        #expect(found.lostDecisions.map(\.variation) == ["old", "new"])
        #expect(found.undealtMoves == [.init(from: "old", to: nil)])
        #expect(difference.headline.contains("Stored decisions are lost in a."))
        #expect(difference.features.first?.recipients.first?.losesDecisions == true)
    }

    @Test func swappedKeysOfVariationsWithoutTrafficMoveTheirVisitors() throws {
        func arms(_ first: String, _ second: String) -> [JSObject] {
            [
                Configs.variation("10", first, 0), Configs.variation("11", second, 0),
                Configs.variation("12", "c", 100),
            ]
        }
        let difference = try Self.difference(Self.config(arms("x", "y")), Self.config(arms("y", "x")))
        #expect(difference.experiences[0].undealtMoves == [.init(from: "x", to: "y"), .init(from: "y", to: "x")])
        #expect(difference.changesAnswers)
        #expect(difference.json.contains(#""undealtMoves":[{"from":"x","to":"y"},{"from":"y","to":"x"}]"#))
    }

    @Test func aNewVariationThatTakesTheKeyOfAStoppedOneMovesItsVisitors() throws {
        let old = [Configs.variation("10", "x", 50, ["status": "stopped"]), Configs.variation("12", "c", 50)]
        let new = [
            Configs.variation("10", "y", 50, ["status": "stopped"]), Configs.variation("12", "c", 50),
            Configs.variation("13", "x", 0),
        ]
        let found = try Self.difference(Self.config(old), Self.config(new)).experiences[0]
        #expect(found.undealtMoves == [.init(from: "x", to: "y")])
    }

    @Test func aRenamedVariationWithoutTrafficMovesNoVisitor() throws {
        let old = [Configs.variation("10", "x", 0), Configs.variation("12", "c", 100)]
        let new = [Configs.variation("10", "y", 0), Configs.variation("12", "c", 100)]
        let found = try Self.difference(Self.config(old), Self.config(new)).experiences[0]
        #expect(found.undealtMoves.isEmpty && found.renamedVariations == [.init(from: "x", to: "y")])
    }

    @Test func anotherEnvironmentTakesAFeatureFromVisitorsOfAVariationWithoutTraffic() throws {
        let arms = [Configs.variation("10", "x", 0, Self.carrying("1")), Configs.variation("11", "y", 100)]
        let difference = try Self.difference(Self.config(arms), Self.config(arms, ["environment": "staging"]))
        #expect(difference.features.map(\.key) == ["f"])
        #expect(difference.features.first?.recipients.first?.isLeft == true)
    }
}
