import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct EffectTests {
    private static let store = DecisionEffect.store(.bucketing(experienceID: "id-e", variationID: "only-e"))
    private static let track = DecisionEffect.track(
        .bucketing(experienceID: "id-e", variationID: "only-e"), segments: nil)

    private func manager(_ members: JSObject = [:]) throws -> ExperienceManager {
        try ExperienceManager([
            "experiences": [experience("e", members)],
            "locations": [place("l", asking: "here"), place("m", asking: "there")],
        ])
    }

    @Test func aNewDecisionIsStoredAndThenTracked() throws {
        #expect(try manager().decide("e").effects == [Self.store, Self.track])
    }

    @Test func theVisitorsStateHasTheStoredChangeAlready() throws {
        let manager = try manager()
        var visitor = manager.visitor(id: "visitor")
        _ = manager.selectVariation("e", for: &visitor)
        #expect(visitor.state.bucketing == ["id-e": "only-e"])
    }

    @Test func aRepeatedDecisionHasNoEffects() throws {
        let manager = try manager()
        var visitor = manager.visitor(id: "visitor")
        _ = manager.selectVariation("e", for: &visitor)
        #expect(manager.selectVariation("e", for: &visitor).effects == [])
    }

    @Test func withTrackingOffNothingIsTracked() throws {
        #expect(try manager().decide("e") { $0.isTrackingEnabled = false }.effects == [Self.store])
    }

    @Test func withStorageOffNothingIsStored() throws {
        let manager = try manager()
        var visitor = manager.visitor(id: "visitor")
        let options = DecisionOptions.located { $0.isStorageEnabled = false }
        #expect(manager.selectVariation("e", for: &visitor, options: options).effects == [Self.track])
        #expect(visitor.state == VisitorState())
    }

    @Test func withBothOffLocationsAreStillTold() throws {
        let decision = try manager(["locations": ["l"]]).decide("e") { options in
            options.isStorageEnabled = false
            options.isTrackingEnabled = false
            options.locationProperties = ["here": "yes"]
        }
        #expect(decision.variation != nil)
        #expect(decision.effects == [.locationActivated(0)])
    }

    @Test func locationsAreStoredBeforeTheirEventsAndTheDecision() throws {
        let decision = try manager(["locations": ["m", "l"]]).decide("e") {
            $0.locationProperties = ["here": "yes", "there": "yes"]
        }
        #expect(
            decision.effects == [
                .store(.locations(["key-here", "key-there"])), .locationActivated(0), .locationActivated(1),
                Self.store, Self.track,
            ])
    }

    @Test func theEventCarriesTheSegmentsStoredBeforeTheDecision() throws {
        let manager = try manager()
        var visitor = manager.visitor(id: "visitor", attributes: ["country": "de", "plan": "pro"])
        let options = DecisionOptions.located { $0.updatesVisitorProperties = true }
        let effects = manager.selectVariation("e", for: &visitor, options: options).effects
        #expect(
            effects.last
                == .track(.bucketing(experienceID: "id-e", variationID: "only-e"), segments: ["country": "de"]))
    }

    @Test func updatingPropertiesStoresAllOfThemAsSegmentsAfterTheDecision() throws {
        let manager = try manager()
        var visitor = manager.visitor(id: "visitor", attributes: ["country": "de", "plan": "pro"])
        let options = DecisionOptions.located { options in
            options.updatesVisitorProperties = true
            options.visitorProperties = ["visits": 3]
        }
        let effects = manager.selectVariation("e", for: &visitor, options: options).effects
        let all: JSObject = ["country": "de", "plan": "pro", "visits": 3]
        #expect(effects.prefix(2) == [Self.store, .store(.segments(all))])
        #expect(visitor.state.segments == all)
    }

    @Test func updatingPropertiesOfAStoredDecisionStoresNothing() throws {
        let manager = try manager()
        var visitor = manager.visitor(id: "visitor", attributes: ["plan": "pro"])
        _ = manager.selectVariation("e", for: &visitor)
        let options = DecisionOptions.located { $0.updatesVisitorProperties = true }
        #expect(manager.selectVariation("e", for: &visitor, options: options).effects == [])
    }

    @Test func storedPropertiesDoNotChangeTheOthersOfTheirCall() throws {
        let manager = try ExperienceManager(["experiences": [experience("a"), experience("b")]])
        // Merged with what is stored, equal elements of a list become one.
        let properties: JSObject = ["plans": ["pro", "pro"]]
        var visitor = manager.visitor(id: "visitor", attributes: properties)
        let options = DecisionOptions.located { $0.updatesVisitorProperties = true }
        let effects = manager.selectVariations(for: &visitor, options: options).effects
        #expect(effects.filter { $0 == .store(.segments(properties)) }.count == 2)
    }

    @Test func anAnchoredNumberIsStoredAsANumberAndAPackedOneAsText() throws {
        for (version, stored) in [(12, 7 as JSValue), (8, "7")] {
            let members: JSObject = ["version": .integer(version), "variations": [variation(7, 100)]]
            #expect(
                try manager(members).decide("e").effects.first
                    == .store(.bucketing(experienceID: "id-e", variationID: stored)))
        }
    }

    @Test func decidingAllDecidesInConfigOrderEachKnowingTheOnesBefore() throws {
        let exclusive = rules([leaf(nil, "equals", "a", negated: true, type: "bucketed_into_experience_key")])
        let manager = try ExperienceManager([
            "audiences": [["id": "not-in-a", "rules": exclusive]],
            "experiences": [experience("a"), experience("b", ["audiences": ["not-in-a"]]), experience("c")],
        ])
        var visitor = manager.visitor(id: "visitor")
        let decisions = manager.selectVariations(for: &visitor).value
        #expect(decisions.map(\.reason) == [nil, .audienceNotMatched, nil])
        #expect(visitor.state.bucketing == ["id-a": "only-a", "id-c": "only-c"])
    }
}
