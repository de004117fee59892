import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

struct VisitorTests {
    @Test func reportSegmentsLeaveTheAttributesAndAreStored() throws {
        let manager = try ExperienceManager([:])
        let visitor = manager.visitor(id: "v", attributes: ["country": "de", "plan": "pro", "devices": ["ios"]])
        #expect(visitor.attributes == ["plan": "pro"])
        #expect(visitor.state.segments == ["country": "de", "devices": ["ios"]])
    }

    @Test(arguments: ["country", "browser", "devices", "source", "campaign", "visitorType", "customSegments"])
    func thisAttributeIsAReportSegment(name: String) throws {
        let change = try ExperienceManager([:]).segmentChange(in: [name: "x", "plan": "pro"])
        #expect(change == .segments([name: "x"]))
    }

    @Test func attributesWithoutReportSegmentsImplyNoChange() throws {
        #expect(try ExperienceManager([:]).segmentChange(in: ["plan": "pro", "Country": "de"]) == nil)
    }

    @Test func attributesThatBecameSegmentsStillMatchRules() throws {
        let members: JSObject = [
            "audiences": [["id": "a", "rules": rules([leaf("country", "equals", "de")])]],
            "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        #expect(try ExperienceManager(members).decide("e", ["country": "de"]).variation != nil)
    }

    @Test func storedSegmentsMatchRulesInALaterContext() throws {
        let members: JSObject = [
            "audiences": [["id": "a", "rules": rules([leaf("country", "equals", "de")])]],
            "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        let manager = try ExperienceManager(members)
        var visitor = manager.visitor(id: "v", state: try VisitorState(wire: ["segments": ["country": "de"]]))
        #expect(manager.selectVariation("e", for: &visitor).variation != nil)
    }

    @Test func attributesCountBeforeStoredSegments() throws {
        let members: JSObject = [
            "audiences": [["id": "a", "rules": rules([leaf("plan", "equals", "pro")])]],
            "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        let manager = try ExperienceManager(members)
        let state = try VisitorState(wire: ["segments": ["plan": "free"]])
        var visitor = manager.visitor(id: "v", attributes: ["plan": "pro"], state: state)
        #expect(manager.selectVariation("e", for: &visitor).variation != nil)
    }

    @Test func aPreviewAddsNoStoredSegmentsToTheAttributes() throws {
        let manager = try ExperienceManager(["experiences": [experience("e", [:])]])
        let state = try VisitorState(wire: ["segments": ["country": "de"]])
        var visitor = manager.visitor(id: "v", attributes: ["plan": "pro"], state: state)
        let model = manager.project.config.experiences[0]
        let variationID = try #require(model.variations.first?.id?.text)
        #expect(manager.setPreview(experienceID: model.id.text, variationID: variationID, for: &visitor))
        #expect(visitor.attributes == ["plan": "pro"])
        visitor.endPreview()
        #expect(visitor.attributes == ["plan": "pro"])
    }

    @Test func aRecordThatTakesTheStoredOnesPlaceDecides() throws {
        let members: JSObject = [
            "audiences": [["id": "a", "rules": rules([leaf("country", "equals", "de")])]],
            "experiences": [experience("e", ["audiences": ["a"]])],
        ]
        let manager = try ExperienceManager(members)
        var visitor = manager.visitor(id: "v")
        visitor.replaceState(try VisitorState(wire: ["segments": ["country": "de"]]), in: manager.project)
        #expect(manager.selectVariation("e", for: &visitor).variation != nil)
    }

    @Test(arguments: [("{}", true), (#"{"goals":[]}"#, true), (#"{"goals":{}}"#, false), (#"{"locations":[]}"#, false)])
    func aRecordIsEmptyIfNothingIsStoredInIt(json: String, isEmpty: Bool) throws {
        #expect(try VisitorState(json: Data(json.utf8)).isEmpty == isEmpty)
    }

    @Test func aDecodedGoalWithARefusedValueIsKept() throws {
        let json = Data(#"{"goals":{"g":1e400,"h":true}}"#.utf8)
        #expect(try JSONDecoder().decode(VisitorState.self, from: json).goals == ["g": true, "h": true])
    }

    @Test func aRecordSurvivesEncodingAndDecoding() throws {
        let wire: JSValue = [
            "bucketing": ["e": "v", "f": 7], "locations": ["shop"], "segments": ["country": "de"], "goals": ["g": true],
        ]
        let state = try VisitorState(wire: wire)
        #expect(try JSONDecoder().decode(VisitorState.self, from: JSONEncoder().encode(state)) == state)
        #expect(try JSONDecoder().decode(JSValue.self, from: JSONEncoder().encode(state)) == wire)
    }

    @Test func aRecordIsReadFromJSONAsItIsDecoded() throws {
        let json = Data(#"{"bucketing":{"e":"v"},"locations":["shop",7],"segments":[],"goals":{"g":true}}"#.utf8)
        let state = try VisitorState(json: json)
        #expect(state == (try JSONDecoder().decode(VisitorState.self, from: json)))
        #expect(state.locations == ["shop"])
        #expect(state.segments == nil)
        #expect(throws: ConfigError.self) { try VisitorState(json: Data("[]".utf8)) }
        #expect(throws: ConfigError.self) { try VisitorState(json: Data("{".utf8)) }
    }

    @Test func aLocationWithoutAKeyIsStoredAsNull() throws {
        let wire: JSValue = ["locations": ["shop", .null]]
        let state = try VisitorState(wire: wire)
        #expect(state.locations == ["shop"])
        #expect(state.json == wire.objectValue)
        #expect(try JSONDecoder().decode(JSValue.self, from: JSONEncoder().encode(state)) == wire)
        #expect(try VisitorState(json: Data(#"{"locations":["shop",null,7]}"#.utf8)) == state)
    }

    @Test func anEmptyRecordDiffersFromNothingStored() throws {
        #expect(try VisitorState(wire: ["locations": []]) != VisitorState())
    }

    @Test(arguments: ["bucketing", "locations", "segments", "goals"])
    func aMemberOfAnotherShapeIsDropped(name: String) throws {
        #expect(try VisitorState(wire: [name: 7]) == VisitorState())
    }

    @Test func aNewerListOfLocationsTakesTheOldersPlace() throws {
        let older = try VisitorState(wire: ["locations": ["shop", "bar"]])
        let newer = try VisitorState(wire: ["locations": ["bar"]])
        #expect(older.merging(newer).locations == ["bar"])
        #expect(older.merging(VisitorState()).locations == ["shop", "bar"])
    }
}
