import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct SegmentsManagerTests {
    /// Segments that ask for the attribute of their name, one without rules, one that makes the reference throw.
    private static let project: JSObject = [
        "segments": [
            place("1", asking: "a"), place("2", asking: "b"), place(3, asking: "c"), ["id": "4", "key": "no-rules"],
            ["id": "5", "key": "null", "rules": ["OR": [.null]]],
        ]
    ]

    private let experiences: ExperienceManager
    private let segments: SegmentsManager

    init() throws {
        experiences = try ExperienceManager(Self.project)
        segments = SegmentsManager(project: experiences.project)
    }

    private func visitor(_ attributes: JSObject = [:], in stored: JSValue? = nil) throws -> Visitor {
        let state = try stored.map { try VisitorState(wire: ["segments": ["customSegments": $0]]) }
        return experiences.visitor(id: "visitor", attributes: attributes, state: state ?? VisitorState())
    }

    /// What is stored for a visitor with `attributes` who is put into the segments of `keys`.
    private func run(
        _ keys: [String], _ attributes: JSObject, _ ruleData: JSObject = [:], in stored: JSValue? = nil
    ) throws -> (change: Answer<Decision.Reason?>, stored: JSValue?) {
        var visitor = try visitor(attributes, in: stored)
        let change = segments.runCustomSegments(keys, ruleData: ruleData, for: &visitor)
        return (change, visitor.state.segments?["customSegments"])
    }

    @Test func textThatIsStoredIsTakenApartBeforeIDsAreAdded() throws {
        #expect(try run(["key-a"], ["a": "yes"], in: "xé").stored == ["x", "é", "1"])
        #expect(try run(["key-a"], ["a": "yes"], in: "21").stored == "21")
    }

    @Test(arguments: [1, .null, ["1": 1]] as [JSValue]) func toAnythingElseNothingIsAdded(stored: JSValue) throws {
        let (change, after) = try run(["key-a"], ["a": "yes"], in: stored)
        #expect(change.value == .malformedRules)
        #expect(after == stored)
        #expect(try run(["key-a"], [:], in: stored).change.value == nil)
    }

    @Test func aKeyThatIsNoTextIsNotFoundByItsText() throws {
        let experiences = try ExperienceManager([
            "segments": [["id": "1", "key": 5, "rules": rules([leaf("a", "equals", "yes")])]]
        ])
        var visitor = experiences.visitor(id: "visitor", attributes: ["a": "yes"])
        let change = SegmentsManager(project: experiences.project).runCustomSegments(["5"], for: &visitor)
        #expect(change.effects == [])
    }

    @Test func sevenReportSegmentsAreKeptAndNothingElse() throws {
        let report: JSObject = [
            "country": 1, "browser": .null, "devices": ["ios"], "source": "ads", "campaign": "may", "visitorType": "",
            "customSegments": ["x"],
        ]
        var visitor = try visitor()
        let change = segments.setDefaultSegments(report.deepMerging(["plan": "pro", "Country": "de"]), for: &visitor)
        #expect(change.effects == [.store(.segments(report))])
        #expect(visitor.state.segments == report)
        #expect(change.value == nil)
    }

    @Test(arguments: [[:], ["plan": "pro", "Country": "de"]] as [JSObject])
    func aWriteWithoutSegmentsStoresNothing(given: JSObject) throws {
        var visitor = try visitor()
        #expect(segments.setDefaultSegments(given, for: &visitor).effects == [])
        #expect(visitor.state == VisitorState())
    }

    @Test func defaultSegmentsAreMergedIntoTheStoredOnes() throws {
        var visitor = try visitor(["country": "de"], in: ["1"])
        _ = segments.setDefaultSegments(["customSegments": ["2"], "browser": "firefox"], for: &visitor)
        #expect(
            visitor.state.segments == ["customSegments": ["2", "1"], "country": "de", "browser": "firefox"])
    }

    @Test func defaultSegmentsMatchRulesFromThenOn() throws {
        let manager = try ExperienceManager([
            "audiences": [["id": "a", "rules": rules([leaf("country", "equals", "de")])]],
            "experiences": [experience("e", ["audiences": ["a"]])],
        ])
        var visitor = manager.visitor(id: "visitor")
        #expect(manager.selectVariation("e", for: &visitor).reason == .audienceNotMatched)
        _ = SegmentsManager(project: manager.project).setDefaultSegments(["country": "de"], for: &visitor)
        #expect(manager.selectVariation("e", for: &visitor).variation != nil)
    }

    @Test func aSegmentThatMatchesIsStored() throws {
        let (change, stored) = try run(["key-b"], ["b": "yes"])
        #expect(change.effects == [.store(.segments(["customSegments": ["2"]]))])
        #expect(change.value == nil)
        #expect(stored == ["2"])
    }

    @Test func oneThatDoesNotMatchIsPassedOver() throws {
        let (change, stored) = try run(["key-a", "key-b"], ["b": "yes"])
        #expect(stored == ["2"])
        #expect(change.value == nil)
    }

    @Test func behindTheFirstMatchTheLaterOnesAreAddedUnchecked() throws {
        let (change, stored) = try run(["key-a", "key-b", "no-rules", "null"], ["a": "yes"])
        #expect(stored == ["1", "2", "4", "5"])
        #expect(change.value == nil)
    }

    @Test func theyAreLookedAtInConfigOrder() throws {
        #expect(try run(["key-b", "key-a"], ["b": "yes"]).stored == ["2"])
        #expect(try run(["key-b", "key-a"], ["a": "yes"]).stored == ["1", "2"])
    }

    @Test func theIDOfASegmentIsStoredAsText() throws {
        #expect(try run(["key-c"], ["c": "yes"]).stored == ["3"])
    }

    @Test func aVisitorInASegmentStaysAndIsNotAddedAgain() throws {
        let (again, stored) = try run(["key-a"], ["a": "yes"], in: ["1"])
        #expect(again.effects == [])
        #expect(stored == ["1"])
        let (more, both) = try run(["key-a", "key-b"], ["a": "yes"], in: ["9", "1"])
        #expect(more.effects == [.store(.segments(["customSegments": ["9", "1", "2"]]))])
        #expect(both == ["9", "1", "2"])
    }

    @Test(arguments: [[], ["gone"], ["", "KEY-A", "1"]])
    func unknownKeysAreLeftOut(keys: [String]) throws {
        let (change, stored) = try run(keys, ["a": "yes"])
        #expect(change.effects == [])
        #expect(change.value == nil)
        #expect(stored == nil)
    }

    @Test(arguments: ["no-rules", "null"]) func aReferenceErrorStoresNothing(key: String) throws {
        let (change, stored) = try run(["key-a", key], ["x": "yes"])
        #expect(change.value == .malformedRules)
        #expect(change.effects == [])
        #expect(stored == nil)
    }

    @Test func ruleDataIsMergedOverTheAttributesAndTheStoredSegments() throws {
        #expect(try run(["key-a"], ["a": "no"], ["a": "yes"]).stored == ["1"])
        #expect(try run(["key-a"], ["a": "yes"], ["a": "no"]).stored == nil)
        #expect(try run(["key-a"], ["a": "yes"], ["other": 1]).stored == ["1"])
        #expect(try run(["key-a"], ["a": ["yes"]], ["a": ["no"]]).stored == ["1"])
    }

    @Test func storedSegmentsAreMatchedToo() throws {
        let members: JSObject = [
            "segments": [["id": "s", "key": "s", "rules": rules([leaf("country", "equals", "de")])]]
        ]
        let manager = try ExperienceManager(members)
        var visitor = manager.visitor(id: "visitor", attributes: ["country": "de"])
        let change = SegmentsManager(project: manager.project).runCustomSegments(["s"], for: &visitor)
        #expect(change.effects == [.store(.segments(["customSegments": ["s"]]))])
    }

    @Test func aVisitorWithoutIDIsPutIntoNone() {
        var visitor = experiences.visitor(id: "", attributes: ["a": "yes"])
        #expect(segments.runCustomSegments(["key-a"], for: &visitor).effects == [])
        #expect(visitor.state == VisitorState())
    }
}
