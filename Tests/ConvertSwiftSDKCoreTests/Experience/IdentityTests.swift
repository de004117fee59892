import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct IdentityTests {
    @Test func aKeyOfTwoExperiencesMeansTheFirst() throws {
        let manager = try ExperienceManager([
            "experiences": [experience("e", ["id": "1"]), experience("e", ["id": "2"])]
        ])
        #expect(manager.decide("e").variation?.experienceID == "1")
        #expect(manager.project.diagnostics.map(\.path) == ["$.experiences[1].key"])
    }

    @Test func decidingAllFindsTheFirstExperienceOfEachKeyAgain() throws {
        let manager = try ExperienceManager([
            "experiences": [experience("e", ["id": "1"]), experience("e", ["id": "2"])]
        ])
        var visitor = manager.visitor(id: "visitor")
        let decisions = manager.selectVariations(for: &visitor).value
        #expect(decisions.map { $0.variation?.experienceID } == ["1", "1"])
        #expect(decisions.map { $0.variation?.source } == [.bucketed, .stored])
    }

    @Test func anIDOfTwoExperiencesFindsTheFirst() throws {
        let manager = try ExperienceManager([
            "experiences": [experience("e", ["id": "1"]), experience("f", ["id": "1"])]
        ])
        var visitor = manager.visitor(id: "visitor")
        #expect(manager.selectVariation(id: "1", for: &visitor).variation?.experienceKey == "e")
        #expect(manager.project.diagnostics.map(\.path) == ["$.experiences[1].id"])
    }

    @Test func aVariationIsLookedUpInTheFirstExperienceOfItsID() throws {
        let manager = try ExperienceManager([
            "experiences": [experience("e", ["id": "1"]), experience("f", ["id": "1"])]
        ])
        #expect(manager.decide("f").reason == .variationNotFound)
    }

    @Test func anIDOfTwoVariationsReturnsTheFirst() throws {
        let arms: JSValue = [
            ["id": "v", "key": "first", "traffic_allocation": 0],
            ["id": "v", "key": "second", "traffic_allocation": 100],
        ]
        let manager = try ExperienceManager(["experiences": [experience("e", ["variations": arms])]])
        #expect(manager.decide("e").variation?.variationKey == "first")
    }

    @Test func allAudiencesWithOneIDAreAttached() throws {
        let members: JSObject = [
            "audiences": [audience("a", asking: "x"), audience("a", asking: "y")],
            "experiences": [
                experience("e", ["audiences": ["a"], "settings": ["matching_options": ["audiences": "all"]]])
            ],
        ]
        #expect(try ExperienceManager(members).decide("e", ["x": "yes"]).reason == .audienceNotMatched)
        #expect(try ExperienceManager(members).decide("e", ["x": "yes", "y": "yes"]).variation != nil)
    }

    @Test func anExperienceIDThatIsANumberIsHashedAndStoredAsText() throws {
        let numbered = experience("e", ["id": 100_218_301])
        let manager = try ExperienceManager(["experiences": [numbered]])
        let decision = manager.decide("e")
        let value = BucketingManager().bucketValue(visitorID: "visitor", experienceID: "100218301")
        #expect(decision.variation?.bucketingAllocation == value)
        #expect(
            decision.effects.first == .store(.bucketing(experienceID: "100218301", variationID: "only-e")))
    }

    @Test func anExperienceIDThatIsANumberFindsWhatIsStoredUnderItsText() throws {
        let manager = try ExperienceManager(["experiences": [experience("e", ["id": 7])]])
        var visitor = manager.visitor(id: "visitor", state: try VisitorState(wire: ["bucketing": ["7": "only-e"]]))
        #expect(manager.selectVariation("e", for: &visitor).variation?.source == .stored)
        #expect(manager.selectVariation(id: "7", for: &visitor).variation?.source == .stored)
    }
}
