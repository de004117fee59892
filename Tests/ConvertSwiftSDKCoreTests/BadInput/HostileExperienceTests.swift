import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct HostileExperienceTests {
    private func decide(version: JSValue, _ variations: [JSValue]) throws -> Answer<Decision> {
        let members: JSObject = ["version": version, "variations": .array(variations)]
        return try ExperienceManager(["experiences": [experience("e", members)]]).decide("e")
    }

    @Test(arguments: [8, 12] as [JSValue]) func aHugeAllocationTakesEveryVisitor(version: JSValue) throws {
        #expect(
            try decide(version: version, [variation("a", 1e308), variation("b", 1e308)]).variation?.variationID == "a")
    }

    @Test func hugeAllocationsWhoseSumIsInfiniteLeaveTheFirstAnchoredArmInPlace() throws {
        let arms = (0..<5).map { variation(.string("v\($0)"), 1e308) }
        #expect(try decide(version: 12, arms).variation?.variationID == "v0")
    }

    @Test(arguments: [8, 12] as [JSValue], [-5, -1e308, .null, "", "-50"] as [JSValue])
    func aNegativeOrEmptyAllocationTakesNoVisitor(version: JSValue, allocation: JSValue) throws {
        #expect(try decide(version: version, [variation("a", allocation)]).reason == .notBucketed)
    }

    @Test func textThatIsNoNumberLetsNoVisitorIntoAPackedArm() throws {
        #expect(try decide(version: 8, [variation("a", "abc"), variation("b", 100)]).reason == .notBucketed)
    }

    @Test(arguments: [8, 12] as [JSValue]) func aVariationWithoutIDTakesNoVisitor(version: JSValue) throws {
        #expect(try decide(version: version, [variation(nil, 100)]).reason == .notBucketed)
    }

    @Test(arguments: [.null, 7, "x", true, []] as [JSValue])
    func aVariationThatIsNoObjectIsLeftOutAndTold(value: JSValue) throws {
        let manager = try ExperienceManager(["experiences": [experience("e", ["variations": [value]])]])
        #expect(manager.decide("e").reason == .noVariations)
        #expect(manager.project.config.diagnostics.map(\.path) == ["$.experiences[0].variations[0]"])
    }

    @Test func idsBeyondTheExactIntegersAreReadAsTheNearestDouble() throws {
        let manager = try ExperienceManager([
            "experiences": [
                experience("e", ["id": 9_007_199_254_740_993, "variations": [variation(9_007_199_254_740_993, 100)]])
            ]
        ])
        let variation = try #require(manager.decide("e").variation)
        #expect(variation.experienceID == "9007199254740992")
        #expect(variation.variationID == "9007199254740992")
    }

    @Test func thousandsOfVariationsAreBucketedInto() throws {
        let arms = (0..<2_000).map { variation(.string("v\($0)"), 0.05) }
        let expected = BucketingManager().bucketValue(visitorID: "visitor", experienceID: "id-e") / 5
        let id = try #require(try decide(version: 12, arms).variation?.variationID)
        // Anchors are doubles, so a value on an edge may fall to the arm before.
        #expect(["v\(expected)", "v\(expected - 1)"].contains(id))
    }

    @Test func anExperienceMayReferToEverythingThatIsNotThere() throws {
        let members: JSObject = [
            "experiences": [experience("e", ["audiences": ["gone"], "goals": ["gone"], "environments": ["gone"]])],
            "archived_experiences": ["gone"],
        ]
        #expect(try ExperienceManager(members).decide("e").variation != nil)
    }

    @Test func storedRecordsMayHoldAnything() throws {
        let manager = try ExperienceManager(["experiences": [experience("e")]])
        for stored in [.null, 7, [], [:], true, "x"] as [JSValue] {
            var visitor = manager.visitor(id: "visitor", state: try VisitorState(wire: ["bucketing": ["id-e": stored]]))
            #expect(manager.selectVariation("e", for: &visitor).variation?.source == .bucketed)
        }
    }
}
