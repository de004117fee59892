import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// The explanations of custom segments and goals agree with what the calls do.
struct MembershipExplanationTests {
    private let experiences: ExperienceManager

    init() throws {
        experiences = try ExperienceManager([
            "segments": [
                ["id": "1", "key": "first", "rules": rules([leaf("x", "equals", "1")])],
                ["id": "2", "key": "second", "rules": rules([leaf("x", "equals", "2")])],
                ["id": "3", "key": "broken", "rules": ["OR": [.null]]],
                ["id": "4", "key": 7, "rules": rules([leaf("x", "equals", "2")])],
                ["id": "5", "key": "last", "rules": rules([leaf("x", "equals", "2")])],
            ],
            "goals": [
                ["id": "7", "key": "buy", "rules": rules([leaf("price", "less", 10)])], ["id": "8", "key": "plain"],
            ],
        ])
    }

    private func explain(_ keys: [String], x: JSValue) -> [SegmentsExplanation.Segment] {
        SegmentsManager(project: experiences.project)
            .explain(keys, for: experiences.visitor(id: "visitor", attributes: ["x": x])).segments
    }

    @Test func segmentsBehindOneThatMatchesAreNotLookedAt() {
        let segments = explain(["first", "second", "last"], x: "2")
        #expect(segments.map(\.key) == ["first", "second", "last"])
        #expect(segments.map(\.isMember) == [false, true, true])
        #expect(segments.map { $0.rules?.verdict } == [.notMatched, .matched, nil])
    }

    @Test func rulesAfterAnEvaluationErrorAreSkipped() {
        let segments = explain(["first", "broken", "last"], x: "2")
        #expect(segments.map(\.isMember) == [false, false, false])
        #expect(segments.map { $0.rules?.verdict } == [.notMatched, .malformed, nil])
    }

    @Test func aSegmentWhoseKeyIsANumberIsNotAskedForByText() {
        #expect(explain(["7", "last"], x: "2").map(\.key) == ["last"])
    }

    private func explain(
        _ key: String, goals: JSObject = [:], _ change: (inout ConversionOptions) -> Void
    ) throws -> GoalExplanation {
        var options = ConversionOptions()
        change(&options)
        let state = try VisitorState(wire: ["goals": .object(goals)])
        return GoalManager(project: experiences.project)
            .explain(key, for: experiences.visitor(id: "visitor", state: state), options: options)
    }

    @Test func theRulesOfAGoalAreExplainedIfTheyAreLookedAt() throws {
        let matched = try explain("buy") { $0.ruleData = ["price": 9] }
        #expect(matched.outcome == .triggered && matched.rules?.verdict == .matched)
        let unmatched = try explain("buy") { $0.ruleData = ["price": 10] }
        #expect(unmatched.outcome == .rulesNotMatched && unmatched.rules?.verdict == .notMatched)
        #expect(try explain("buy") { _ in }.rules == nil)
        #expect(try explain("plain") { $0.ruleData = ["price": 9] }.rules == nil)
    }

    @Test(arguments: [("buy", .holds), ("gone", .fails)] as [(String, ExplanationLine.Mark)])
    func aGoalIsMarkedByWhetherItCounts(key: String, mark: ExplanationLine.Mark) throws {
        #expect(try explain(key) { _ in }.lines.first?.mark == mark)
    }

    @Test func aGoalThatCountedBeforeDoesNotCountAgain() throws {
        let again = try explain("buy", goals: ["buy": true]) { $0.ruleData = ["price": 9] }
        #expect(again.outcome == .alreadyTriggered && again.rules?.verdict == .matched)
    }
}
