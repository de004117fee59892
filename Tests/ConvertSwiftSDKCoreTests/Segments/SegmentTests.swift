import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct SegmentTests {
    /// What is decided in an experience with `attached` ids for a visitor in `segments` with `attributes`.
    private func decide(_ attached: JSValue, in segments: JSValue?, _ attributes: JSObject = [:]) throws -> Decision
        .Reason?
    {
        let manager = try ExperienceManager([
            "audiences": [audience("a", asking: "a")],
            "segments": .array((["s", "t", 9, 0] as [JSValue]).map { place($0, asking: "x") }),
            "experiences": [experience("e", ["audiences": attached])],
        ])
        let state = try segments.map { try VisitorState(wire: ["segments": ["customSegments": $0]]) }
        var visitor = manager.visitor(id: "visitor", attributes: attributes, state: state ?? VisitorState())
        return manager.selectVariation("e", for: &visitor, options: .located()).reason
    }

    @Test func oneOfTheAttachedSegmentsIsEnough() throws {
        #expect(try decide(["s", "t"], in: ["t"]) == nil)
    }

    @Test(arguments: [nil, [], ["other"], "S", "", [["s"]]] as [JSValue?])
    func aVisitorInNoSegmentIsNotMatched(segments: JSValue?) throws {
        #expect(try decide(["s"], in: segments) == .segmentNotMatched)
    }

    @Test(arguments: ["s", "xsy"] as [JSValue]) func textIsSearchedForTheID(segments: JSValue) throws {
        #expect(try decide(["s"], in: segments) == nil)
    }

    @Test func aNumberIsFoundInTextByItsText() throws {
        #expect(try decide([9], in: "x90") == nil)
    }

    @Test(arguments: [1, true, .null, ["s": 1]] as [JSValue])
    func aValueOtherThanListOrTextHasNoSegments(segments: JSValue) throws {
        #expect(try decide(["s"], in: segments) == .segmentNotMatched)
    }

    @Test func segmentIDsMatchByTypeToo() throws {
        #expect(try decide([9], in: ["9"]) == .segmentNotMatched)
        #expect(try decide([9], in: [9]) == nil)
    }

    @Test func noVisitorIsInASegmentWhoseIDIsZero() throws {
        #expect(try decide([0], in: [0]) == .segmentNotMatched)
    }

    @Test func audiencesAndSegmentsMustBothHold() throws {
        #expect(try decide(["a", "s"], in: ["s"]) == .audienceNotMatched)
        #expect(try decide(["a", "s"], in: [], ["a": "yes"]) == .segmentNotMatched)
        #expect(try decide(["a", "s"], in: ["s"], ["a": "yes"]) == nil)
    }

    @Test func theRulesOfASegmentAreNotAskedInADecision() throws {
        #expect(try decide(["s"], in: nil, ["x": "yes"]) == .segmentNotMatched)
    }
}
