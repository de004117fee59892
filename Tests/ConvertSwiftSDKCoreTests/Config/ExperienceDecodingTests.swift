import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct ExperienceDecodingTests {
    /// The experience that `members` decode to, on top of an id.
    private func decode(_ members: JSObject) throws -> ProjectConfig.Experience {
        var wire: JSObject = ["id": "1"]
        for member in members { wire[member.key] = member.value }
        return try #require(try config(["experiences": [.object(wire)]]).experiences.first)
    }

    @Test func everyMemberIsRead() throws {
        let experience = try decode([
            "key": "k", "name": "N", "type": "a/b_fullstack", "status": "active", "version": 12, "environment": "live",
            "environments": ["live", "staging"], "locations": ["l"], "audiences": ["a", 7], "goals": ["g"],
            "site_area": rules([leaf("a", "exists", nil)]), "settings": ["matching_options": ["audiences": "all"]],
            "variations": [["id": "v"]],
        ])
        #expect(experience.id == "1")
        #expect(experience.key == "k")
        #expect(experience.name == "N")
        #expect(experience.type == "a/b_fullstack")
        #expect(experience.status == "active")
        #expect(experience.version == 12)
        #expect(experience.environment == .only("live"))
        #expect(experience.environments == ["live", "staging"])
        #expect(experience.locations == ["l"])
        #expect(experience.hasLocations)
        #expect(experience.audiences.map(\.text) == ["a", "7"])
        #expect(experience.audiences.map(\.kind) == [.text, .number])
        #expect(experience.goals == ["g"])
        #expect(experience.siteArea?.blocks.count == 1)
        #expect(experience.audienceMatching == .all)
        #expect(experience.variations.count == 1)
    }

    @Test func anUnusableElementIsReportedInEveryList() throws {
        let lists: JSObject = ["audiences": ["a", [:]], "locations": ["a", [:]], "environments": ["a", [:]]]
        var wire: [JSValue] = []
        for id in ["1", "2"] {
            var experience = lists
            experience["id"] = .string(id)
            wire.append(.object(experience))
        }
        let config = try config(["experiences": .array(wire)])
        #expect(config.experiences.map(\.audiences) == [["a"], ["a"]])
        #expect(config.experiences.map(\.environments) == [["a"], ["a"]])
        #expect(
            config.diagnostics.map(\.path) == [
                "$.experiences[0].environments[1]", "$.experiences[0].locations[1]", "$.experiences[0].audiences[1]",
                "$.experiences[1].environments[1]", "$.experiences[1].locations[1]", "$.experiences[1].audiences[1]",
            ])
    }

    @Test func everyMemberButTheIDMayBeMissing() throws {
        let experience = try decode([:])
        #expect(experience.key == nil)
        #expect(experience.name == nil)
        #expect(experience.version.isNaN)
        #expect(experience.environment == .anywhere)
        #expect(!experience.hasLocations)
        #expect(experience.siteArea == nil)
        #expect(experience.audiences.isEmpty)
        #expect(experience.audienceMatching == .missing)
        #expect(experience.variations.isEmpty)
    }

    @Test(
        arguments: [
            ("k", "k", "k"), (7, "7", "7"), (true, "true", "true"), (.null, nil, "null"), (["a"], nil, "a"),
            ([:], nil, "[object Object]"), (nil, nil, "undefined"),
        ] as [(JSValue?, String?, String)])
    func aKeyIsLookedUpByItsText(key: JSValue?, shown: String?, lookUp: String) throws {
        var members = JSObject()
        members["key"] = key
        let experience = try decode(members)
        #expect(experience.key == shown)
        #expect(experience.entityKey.lookUp == PropertyKey(lookUp))
        #expect(experience.entityKey.isText == (key == "k"))
    }

    @Test(
        arguments: [
            ("live", .only("live")), ("", .anywhere), (.null, .anywhere), (0, .anywhere), (5, .nowhere), ([], .nowhere),
        ] as [(JSValue, ProjectConfig.Experience.Environment)])
    func anEnvironmentIsANameOrNone(value: JSValue, expected: ProjectConfig.Experience.Environment) throws {
        #expect(try decode(["environment": value]).environment == expected)
    }

    @Test(arguments: ["name", "type", "status"], [7, .null, [:], ["a"]] as [JSValue])
    func anInformationOfAnotherTypeIsLeftOut(name: String, value: JSValue) throws {
        let experience = try decode([name: value])
        #expect(experience.name == nil && experience.type == nil && experience.status == nil)
    }

    @Test(
        arguments: ["audiences", "locations", "goals", "environments", "variations"], ["a", 7, .null, [:]] as [JSValue])
    func aMemberThatIsNoListIsAnEmptyOne(name: String, value: JSValue) throws {
        let experience = try decode([name: value])
        #expect(experience.audiences.isEmpty && experience.locations.isEmpty && experience.goals.isEmpty)
        #expect(experience.environments.isEmpty && experience.variations.isEmpty)
        #expect(!experience.hasLocations)
    }

    @Test func locationsThatAreNoIDsStillRestrict() throws {
        let experience = try decode(["locations": [.null, [:]]])
        #expect(experience.locations.isEmpty)
        #expect(experience.hasLocations)
    }

    @Test(arguments: [.null, false, 0, ""] as [JSValue]) func anEmptySiteAreaIsIgnored(value: JSValue) throws {
        #expect(try decode(["site_area": value]).siteArea == nil)
    }

    @Test(arguments: [true, 7, "x", [], [:]] as [JSValue]) func aSiteAreaOfAnyOtherShapeNeverMatches(value: JSValue)
        throws
    {
        #expect(try decode(["site_area": value]).siteArea == RuleTree(blocks: []))
    }

    @Test(
        arguments: [
            (["audiences": "all"], .all), (["audiences": "any"], .any), (["audiences": "ALL"], .any), ([:], .any),
            (["audiences": 7], .any), ("all", .any), (7, .any), (.null, .missing),
        ] as [(JSValue, ProjectConfig.Experience.Matching)])
    func matchingOptionsAreAllOnlyIfTheySaySo(options: JSValue, expected: ProjectConfig.Experience.Matching) throws {
        #expect(try decode(["settings": ["matching_options": options]]).audienceMatching == expected)
    }

    @Test(arguments: [.null, 7, [:], []] as [JSValue]) func settingsWithoutMatchingOptionsHaveNone(value: JSValue)
        throws
    {
        #expect(try decode(["settings": value]).audienceMatching == .missing)
    }

    @Test func aVariationsMembersAreRead() throws {
        let variation = try #require(
            try decode([
                "variations": [
                    [
                        "id": 7, "key": "k", "name": "N", "status": "stopped", "traffic_allocation": "50",
                        "changes": [["type": "fullStackFeature", "data": ["feature_id": 1]], 7],
                    ]
                ]
            ]).variations.first)
        #expect(variation.id?.text == "7")
        #expect(variation.key == "k")
        #expect(variation.name == "N")
        #expect(!variation.isRunning)
        #expect(variation.trafficAllocation == "50")
        #expect(variation.changes.map(\.type) == ["fullStackFeature"])
        #expect(variation.changes.first?.data == ["feature_id": 1])
    }

    @Test func aVariationWithoutIDIsToldAndKept() throws {
        let config = try config(["experiences": [experience("e", ["variations": [["key": "k"], ["id": "v"]]])]])
        #expect(config.experiences.first?.variations.map(\.id) == [nil, "v"])
        #expect(config.diagnostics.map(\.path) == ["$.experiences[0].variations[0]"])
    }
}
