import ConvertECMAScript
@testable import ConvertSwiftSDKCore
import Foundation
import Testing

/// Audiences, locations, segments, features and goals.
struct EntityDecodingTests {
    private static let graph = rules([leaf("a", "exists", nil)])

    @Test func theNamesOfMembersAreInTheOrderOfTheCases() {
        let names = ConfigMember.names.map { $0.filter { $0 != "_" }.lowercased() }
        #expect(names == ConfigMember.allCases.map { "\($0)".lowercased() })
    }

    @Test func anAudiencesMembersAreRead() throws {
        let wire: JSValue = ["id": 7, "key": "k", "name": "N", "type": "permanent", "rules": Self.graph]
        let audience = try #require(try config(["audiences": [wire]]).audiences.first)
        #expect(audience.id == EntityID(7 as JSValue))
        #expect(audience.key == "k")
        #expect(audience.name == "N")
        #expect(audience.isPermanent)
        #expect(audience.rules?.blocks.count == 1)
    }

    @Test(arguments: ["transient", "Permanent", "", 7, .null, nil] as [JSValue?])
    func anAudienceOfAnyOtherTypeIsNotPermanent(type: JSValue?) throws {
        var audience: JSObject = ["id": "a", "rules": Self.graph]
        audience["type"] = type
        #expect(try config(["audiences": [.object(audience)]]).audiences.first?.isPermanent == false)
    }

    @Test(arguments: ["audiences", "locations", "segments"], [.null, false, 0, ""] as [JSValue])
    func anEntityWithoutRulesIsReported(list: String, rules: JSValue) throws {
        let diagnostics = try config([list: [["id": "a", "rules": rules]]]).diagnostics
        #expect(diagnostics.map(\.path) == ["$.\(list)[0]"])
        #expect(diagnostics.first?.message.hasSuffix(" a has no rules: it never matches.") == true)
    }

    @Test func aLocationsAndASegmentsMembersAreRead() throws {
        let wire: JSValue = ["id": "a", "key": "k", "name": "N", "rules": Self.graph]
        let config = try config(["locations": [wire], "segments": [wire]])
        let location = try #require(config.locations.first)
        let segment = try #require(config.segments.first)
        #expect([location.id, segment.id] == ["a", "a"])
        #expect([location.key, segment.key] == ["k", "k"])
        #expect([location.name, segment.name] == ["N", "N"])
        #expect([location.rules?.blocks.count, segment.rules?.blocks.count] == [1, 1])
    }

    @Test func aFeaturesMembersAreRead() throws {
        let wire: JSValue = [
            "id": "f", "key": "k", "name": "N",
            "variables": [["key": "a", "type": "integer"], ["key": "b"], ["type": "json"], ["key": "c", "type": 7]],
        ]
        let feature = try #require(try config(["features": [wire]]).features.first)
        #expect(feature.id == "f")
        #expect(feature.key == "k")
        #expect(feature.name == "N")
        #expect(feature.variables.map(\.key) == ["a", "b", "c"])
        #expect(feature.variables.map(\.type) == ["integer", nil, nil])
    }

    @Test func aVariableWithoutKeyIsLeftOutAndTold() throws {
        let config = try config(["features": [["id": "f", "variables": [["type": "json"]]]]])
        #expect(config.diagnostics.map(\.path) == ["$.features[0].variables[0]"])
    }

    @Test func aGoalsMembersAreRead() throws {
        let wire: JSValue = ["id": "g", "key": "k", "name": "N", "type": "code_trigger", "rules": Self.graph]
        let goal = try #require(try config(["goals": [wire]]).goals.first)
        #expect(goal.id == "g")
        #expect(goal.key == "k")
        #expect(goal.name == "N")
        #expect(goal.type == "code_trigger")
        #expect(goal.rules?.blocks.count == 1)
    }

    @Test func aGoalWithoutRulesIsNothingToTell() throws {
        #expect(try config(["goals": [["id": "g", "rules": .null]]]).diagnostics.isEmpty)
    }
}
