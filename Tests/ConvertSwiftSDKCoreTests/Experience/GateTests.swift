import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct GateTests {
    @Test func nothingIsDecidedForAnEmptyVisitorID() throws {
        let manager = try ExperienceManager(["experiences": [experience("e")]])
        var visitor = manager.visitor(id: "")
        #expect(manager.selectVariation("e", for: &visitor).reason == .missingVisitorID)
    }

    @Test(arguments: ["", "E", "e ", "other"]) func anExperienceThatIsNotThereIsUnknown(key: String) throws {
        #expect(try ExperienceManager(["experiences": [experience("e")]]).decide(key).reason == .unknownExperience)
    }

    @Test func keysAreComparedByCodeUnits() throws {
        let manager = try ExperienceManager(["experiences": [experience("caf\u{e9}")]])
        #expect(manager.decide("cafe\u{301}").reason == .unknownExperience)
        #expect(manager.decide("caf\u{e9}").variation != nil)
    }

    @Test(arguments: [("7", 7), (7, "7"), (7, 7), ("7", "7")] as [(JSValue, JSValue)])
    func archivedIDsAreComparedAsText(id: JSValue, archived: JSValue) throws {
        let members: JSObject = ["experiences": [experience("e", ["id": id])], "archived_experiences": [archived]]
        #expect(try ExperienceManager(members).decide("e").reason == .archived)
    }

    @Test(
        arguments: [
            ("other", .archived), ([:], .archived), (7, .archived), (.null, nil), ("", nil), (false, nil), ([], nil),
        ] as [(JSValue, Decision.Reason?)])
    func anArchiveThatCannotBeReadArchivesEverything(archived: JSValue, reason: Decision.Reason?) throws {
        let members: JSObject = ["experiences": [experience("e")], "archived_experiences": archived]
        #expect(try ExperienceManager(members).decide("e").reason == reason)
    }

    @Test(arguments: [.null, "", nil] as [JSValue?]) func withoutEnvironmentItRunsAnywhere(value: JSValue?) throws {
        var members = JSObject()
        members["environment"] = value
        #expect(try ExperienceManager(["experiences": [experience("e", members)]]).decide("e").variation != nil)
    }

    @Test(arguments: ["live", "Staging", " staging", 7, true, []] as [JSValue])
    func anExperienceRunsOnlyInItsEnvironment(environment: JSValue) throws {
        let manager = try ExperienceManager(["experiences": [experience("e", ["environment": environment])]])
        #expect(manager.decide("e").reason == .otherEnvironment)
    }

    @Test(arguments: [("Live", nil), ("live", .otherEnvironment)] as [(JSValue, Decision.Reason?)])
    func theManagersEnvironmentCountsItsCase(environment: JSValue, reason: Decision.Reason?) throws {
        let manager = try ExperienceManager(
            ["experiences": [experience("e", ["environment": environment])]], environment: "Live")
        #expect(manager.decide("e").reason == reason)
    }

    @Test func aCallMayNameTheEnvironment() throws {
        let manager = try ExperienceManager(["experiences": [experience("e", ["environment": "live"])]])
        #expect(manager.decide("e") { $0.environment = "live" }.variation != nil)
    }

    @Test func anEmptyEnvironmentOfACallMeansTheManagers() throws {
        let manager = try ExperienceManager(
            ["experiences": [experience("e", ["environment": "live"])]], environment: "live")
        #expect(manager.decide("e") { $0.environment = "" }.variation != nil)
    }

    @Test(arguments: [[], "x", .null] as [JSValue]) func withoutVariationsThereIsNothingToSee(value: JSValue) throws {
        let manager = try ExperienceManager(["experiences": [experience("e", ["variations": value])]])
        #expect(manager.decide("e").reason == .noVariations)
    }

    @Test func aVisitorOutsideOfEveryArmIsNotBucketed() throws {
        let empty = experience("e", ["variations": [variation("v", 0)]])
        let decision = try ExperienceManager(["experiences": [empty]]).decide("e")
        #expect(decision.reason == .notBucketed)
        #expect(decision.effects == [])
    }

    /// What closes each gate, in the order of the gates, and the reason of the decision then.
    static let gates: [(member: String, reason: Decision.Reason)] = [
        ("archived", .archived), ("environment", .otherEnvironment), ("locations", .locationNotMatched),
        ("audience", .audienceNotMatched), ("segment", .segmentNotMatched), ("variations", .noVariations),
    ]

    @Test(arguments: RuleSemantics.allCases, gates.indices)
    func theFirstClosedGateDecides(semantics: RuleSemantics, open: Int) throws {
        let closed = Self.gates[open...].map(\.member)
        var members: JSObject = ["audiences": []]
        if closed.contains("environment") { members["environment"] = "live" }
        if closed.contains("locations") { members["locations"] = ["l"] }
        if closed.contains("segment") { members["audiences"] = ["s"] }
        if closed.contains("audience") { members["audiences"] = ["a", "s"] }
        if closed.contains("variations") { members["variations"] = [] }
        let manager = try ExperienceManager(
            [
                "experiences": [experience("e", members)],
                "archived_experiences": closed.contains("archived") ? ["id-e"] : [],
                "locations": [place("l", asking: "x")], "segments": [place("s", asking: "x")],
                "audiences": [audience("a", asking: "x")],
            ], semantics)
        #expect(manager.decide("e").reason == Self.gates[open].reason)
    }

    @Test(
        arguments: [
            (.notBucketed, "convert.com_variation_not_decided"), (.needMoreData, "convert.com_need_more_data"),
            (.noDataFound, "convert.com_no_data_found"), (.archived, nil), (.malformedRules, nil),
        ] as [(Decision.Reason, String?)])
    func aReasonHasTheSentinelOfTheReference(reason: Decision.Reason, sentinel: String?) {
        #expect(reason.sentinel == sentinel)
    }
}
