import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Which visitors get a feature that variations carry as before.
struct FeatureRecipientsTests {
    private static func arm(_ id: String, _ key: String, _ share: JSValue, _ size: JSValue?) -> JSValue {
        let changes = size.map { size -> JSValue in
            [["type": "fullStackFeature", "data": ["feature_id": "7", "variables_data": ["size": size]]]]
        }
        return .object(Configs.variation(id, key, share, ["changes": changes ?? []]))
    }

    /// An experience with two arms, the first of which carries the feature.
    private static func carrier(
        _ id: String, size: JSValue, _ shares: (JSValue, JSValue) = (50, 50), _ changes: JSObject = JSObject()
    ) -> JSValue {
        var members = changes
        members["variations"] = [
            arm("\(id)1", "with", shares.0, size), arm("\(id)2", "without", shares.1, nil),
        ]
        return .object(Configs.experience("e\(id)", id: id, members))
    }

    private static func feature(_ old: [JSValue], _ new: [JSValue]) throws -> ConfigDifference.Feature? {
        func config(_ experiences: [JSValue]) -> JSObject {
            let question = Configs.leaf("x", "equals", "e1", negated: true, type: "bucketed_into_experience_key")
            return Configs.config([
                "features": [["id": "7", "key": "flow", "variables": [["key": "size", "type": "integer"]]]],
                "audiences": [
                    Configs.audience("5", Configs.all(Configs.leaf("plan", "equals", "pro"))),
                    Configs.audience("6", Configs.all(question)),
                ],
                "experiences": .array(experiences),
            ])
        }
        return try ConfigDiff().difference(from: Configs.data(config(old)), to: Configs.data(config(new))).features
            .first
    }

    @Test func visitorsOfTwoCarriersReadTheOtherOneFirstWhenTheyChangePlaces() throws {
        let (one, two) = (Self.carrier("1", size: 20), Self.carrier("2", size: 30))
        let found = try #require(try Self.feature([one, two], [two, one]))
        #expect(found.change == .changed && found.experiences == ["e2"] && found.recipients.isEmpty)
        #expect(found.order?.moved == 0.25 && found.order?.visitor != nil)
        #expect(try Self.feature([one, two], [one, two]) == nil)
    }

    @Test func anotherOrderOfCarriersWithTheSameVariablesChangesNothing() throws {
        let (one, two) = (Self.carrier("1", size: 20), Self.carrier("2", size: 20))
        #expect(try Self.feature([one, two], [two, one]) == nil)
    }

    @Test func anotherOrderOfCarriersWhichNoVisitorHasBothOfChangesNothing() throws {
        let one = Self.carrier("1", size: 20, (50, 50), ["environment": "staging"])
        let two = Self.carrier("2", size: 30, (50, 50), ["environment": "production"])
        #expect(try Self.feature([one, two], [two, one]) == nil)
    }

    @Test func anOrderThatAttributesDecideHasAVisitor() throws {
        let (one, two) = (Self.carrier("1", size: 20, (50, 50), ["audiences": ["5"]]), Self.carrier("2", size: 30))
        let order = try #require(try Self.feature([one, two], [two, one])?.order)
        #expect(order.moved == nil && order.visitor?.attributes["plan"] == "pro")
    }

    @Test func visitorsWithStoredDecisionsMayHaveBothCarriers() throws {
        // No new visitor gets the first one.
        let (one, two) = (Self.carrier("1", size: 20, (0, 50)), Self.carrier("2", size: 30))
        let order = try #require(try Self.feature([one, two], [two, one])?.order)
        #expect(order.moved == nil && order.visitor?.stored.bucketing?["1"] == "11")
    }

    @Test func aLargerShareGivesAFeatureToMoreVisitors() throws {
        let found = try #require(
            try Self.feature([Self.carrier("1", size: 20, (20, 80))], [Self.carrier("1", size: 20, (50, 50))]))
        #expect(found.change == .changed && found.values.isEmpty && found.experiences == ["e1"])
        let recipients = try #require(found.recipients.first)
        #expect(abs(recipients.moved - 0.3) < 1e-9 && recipients.storedMoved == 0)
        #expect(!recipients.isEntered && !recipients.isLeft)
    }

    @Test func aNarrowerAudienceTakesAFeatureFromVisitors() throws {
        let found = try Self.feature(
            [Self.carrier("1", size: 20)], [Self.carrier("1", size: 20, (50, 50), ["audiences": ["5"]])])
        #expect(found?.recipients.map(\.isLeft) == [true] && found?.recipients.map(\.isEntered) == [false])
    }

    @Test func anEnvironmentTakesAFeatureFromVisitorsElsewhere() throws {
        func feature(_ environment: JSValue) throws -> ConfigDifference.Feature? {
            try Self.feature(
                [Self.carrier("1", size: 20)], [Self.carrier("1", size: 20, (50, 50), ["environment": environment])])
        }
        #expect(try feature("production")?.recipients.map(\.isLeft) == [true])
        // The project does not have this one.
        let nowhere = try #require(try feature("Production"))
        #expect(nowhere.values.map(\.isDealtBefore) == [true] && nowhere.values.map(\.isDealtAfter) == [false])
    }

    @Test func movesBetweenArmsWithTheSameVariablesChangeNoFeature() throws {
        func config(_ first: JSValue, _ second: JSValue) -> [JSValue] {
            let arms = [Self.arm("11", "a", first, 20), Self.arm("12", "b", second, 20)]
            return [.object(Configs.experience("e1", id: "1", ["variations": .array(arms)]))]
        }
        #expect(try Self.feature(config(50, 50), config(20, 80)) == nil)
        #expect(try Self.feature(config(50, 50), config(20, 50))?.recipients.first?.moved != nil)
    }
}
