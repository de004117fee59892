import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct GoalTests {
    private static let project: JSObject = [
        "goals": [
            ["id": "7", "key": "buy", "rules": rules([leaf("price", "less", 10)])], ["id": 8, "key": "plain"],
            ["id": "9", "key": "broken", "rules": ["OR": [.null]]],
        ]
    ]
    private static let bare = TrackingEvent.conversion(goalID: "7", goalData: nil, bucketing: nil)
    private static let values: [JSValue] = [["key": "amount", "value": 9.9]]
    private static let valued = TrackingEvent.conversion(goalID: "7", goalData: .array(values), bucketing: nil)

    private let experiences: ExperienceManager
    private let goals: GoalManager

    init() throws {
        experiences = try ExperienceManager(Self.project)
        goals = GoalManager(project: experiences.project)
    }

    private func options(_ change: (inout ConversionOptions) -> Void) -> ConversionOptions {
        var options = ConversionOptions()
        change(&options)
        return options
    }

    @Test func aConversionIsStoredAndThenReported() {
        var visitor = experiences.visitor(id: "visitor")
        let conversion = goals.trackConversion("buy", for: &visitor)
        #expect(conversion.value == .triggered)
        #expect(conversion.effects == [.store(.goal("buy")), .track(Self.bare, segments: nil)])
        #expect(visitor.state.goals == ["buy": true])
    }

    @Test func aGoalIsTriggeredOncePerVisitor() {
        var visitor = experiences.visitor(id: "visitor")
        _ = goals.trackConversion("buy", for: &visitor)
        let second = goals.trackConversion("buy", for: &visitor, options: options { $0.goalData = Self.values })
        #expect(second.value == .alreadyTriggered)
        #expect(second.effects == [])
        #expect(goals.trackConversion("plain", for: &visitor).value == .triggered)
    }

    @Test(
        arguments: [
            (true, .alreadyTriggered), ("x", .alreadyTriggered), (false, .triggered), (.null, .triggered),
        ] as [(JSValue, Conversion.Outcome)])
    func whatIsStoredCountsByItsTruthiness(stored: JSValue, outcome: Conversion.Outcome) throws {
        let state = try VisitorState(wire: ["goals": ["buy": stored]])
        var visitor = experiences.visitor(id: "visitor", state: state)
        #expect(goals.trackConversion("buy", for: &visitor).value == outcome)
    }

    @Test func valuesAreReportedInASecondEvent() {
        var visitor = experiences.visitor(id: "visitor")
        let conversion = goals.trackConversion("buy", for: &visitor, options: options { $0.goalData = Self.values })
        #expect(
            conversion.effects == [
                .store(.goal("buy")), .track(Self.bare, segments: nil), .track(Self.valued, segments: nil),
            ])
    }

    @Test func noValuesAreValuesToo() {
        var visitor = experiences.visitor(id: "visitor")
        let conversion = goals.trackConversion("buy", for: &visitor, options: options { $0.goalData = [] })
        let event = TrackingEvent.conversion(goalID: "7", goalData: [], bucketing: nil)
        #expect(conversion.effects.last == .track(event, segments: nil))
        #expect(conversion.effects.count == 3)
    }

    @Test func aRepeatedTransactionReportsItsValuesAlone() {
        var visitor = experiences.visitor(id: "visitor")
        let again = options { options in
            options.goalData = Self.values
            options.forcesMultipleTransactions = true
        }
        #expect(goals.trackConversion("buy", for: &visitor, options: again).effects.count == 3)
        let second = goals.trackConversion("buy", for: &visitor, options: again)
        #expect(second.value == .triggered)
        #expect(second.effects == [.track(Self.valued, segments: nil)])
    }

    @Test func aRepeatedTransactionWithoutValuesReportsNothing() {
        var visitor = experiences.visitor(id: "visitor")
        let again = options { $0.forcesMultipleTransactions = true }
        #expect(goals.trackConversion("buy", for: &visitor, options: again).effects.count == 2)
        #expect(goals.trackConversion("buy", for: &visitor, options: again).effects == [])
    }

    @Test(
        arguments: [
            ("buy", nil, .triggered), ("buy", ["price": 9], .triggered), ("buy", ["price": 10], .rulesNotMatched),
            ("buy", [:], .rulesNotMatched), ("plain", nil, .triggered), ("plain", [:], .rulesNotMatched),
            ("plain", ["price": 9], .rulesNotMatched), ("broken", nil, .triggered), ("broken", [:], .malformedRules),
        ] as [(String, JSObject?, Conversion.Outcome)])
    func rulesAreAskedOnlyIfThereIsRuleData(key: String, ruleData: JSObject?, outcome: Conversion.Outcome) {
        var visitor = experiences.visitor(id: "visitor", attributes: ["price": 9])
        let conversion = goals.trackConversion(key, for: &visitor, options: options { $0.ruleData = ruleData })
        #expect(conversion.value == outcome)
        #expect(conversion.effects.isEmpty == (outcome != .triggered))
        #expect((visitor.state.goals == nil) == (outcome != .triggered))
    }

    @Test(arguments: ["gone", "", "Buy", "7"]) func anUnknownGoalIsNoConversion(key: String) {
        var visitor = experiences.visitor(id: "visitor")
        let conversion = goals.trackConversion(key, for: &visitor)
        #expect(conversion.value == .unknownGoal)
        #expect(conversion.effects == [])
        #expect(visitor.state == VisitorState())
    }

    @Test(arguments: ["buy", "gone"]) func anEmptyVisitorIDIsNoConversion(key: String) {
        var visitor = experiences.visitor(id: "")
        let conversion = goals.trackConversion(key, for: &visitor)
        #expect(conversion.value == .missingVisitorID)
        #expect(conversion.effects == [])
        #expect(visitor.state == VisitorState())
    }

    @Test func onlyReportSegmentsAreReported() throws {
        let report: JSObject = [
            "country": "de", "browser": "firefox", "devices": ["ios"], "source": "ads", "campaign": "may",
            "visitorType": "new", "customSegments": ["s"],
        ]
        let stored: JSObject = report.deepMerging(["plan": "pro", "Country": "fr"])
        let state = try VisitorState(wire: ["segments": .object(stored)])
        var visitor = experiences.visitor(id: "visitor", state: state)
        let conversion = goals.trackConversion("buy", for: &visitor, options: options { $0.goalData = Self.values })
        #expect(
            conversion.effects.dropFirst() == [
                .track(Self.bare, segments: report), .track(Self.valued, segments: report),
            ])
    }

    @Test(arguments: [[:], ["plan": "pro"]] as [JSValue])
    func withoutReportSegmentsNoneAreReported(stored: JSValue) throws {
        var visitor = experiences.visitor(id: "visitor", state: try VisitorState(wire: ["segments": stored]))
        #expect(goals.trackConversion("buy", for: &visitor).effects.last == .track(Self.bare, segments: nil))
    }

    @Test func theDecisionsStoredSoFarAreReported() throws {
        var visitor = experiences.visitor(id: "visitor", state: try VisitorState(wire: ["bucketing": ["e": "v"]]))
        let event = TrackingEvent.conversion(goalID: "7", goalData: nil, bucketing: ["e": "v"])
        #expect(goals.trackConversion("buy", for: &visitor).effects.last == .track(event, segments: nil))
    }

    @Test func theDecisionsStoredSoFarAreReportedWithTheValuesToo() throws {
        var visitor = experiences.visitor(id: "visitor", state: try VisitorState(wire: ["bucketing": ["e": "v"]]))
        let conversion = goals.trackConversion("buy", for: &visitor, options: options { $0.goalData = Self.values })
        let event = TrackingEvent.conversion(goalID: "7", goalData: .array(Self.values), bucketing: ["e": "v"])
        #expect(conversion.effects.last == .track(event, segments: nil))
    }

    @Test func aConversionForgetsNoEarlierOne() {
        var visitor = experiences.visitor(id: "visitor")
        for key in ["buy", "plain"] { _ = goals.trackConversion(key, for: &visitor) }
        #expect(visitor.state.goals == ["buy": true, "plain": true])
    }

    @Test func aGoalWhoseIDIsANumberIsReportedAsANumberAndStoredUnderItsKey() throws {
        var visitor = experiences.visitor(id: "visitor")
        let id = try #require(EntityID(8 as JSValue))
        let event = TrackingEvent.conversion(goalID: id, goalData: nil, bucketing: nil)
        let effects = goals.trackConversion("plain", for: &visitor).effects
        #expect(effects == [.store(.goal("plain")), .track(event, segments: nil)])
    }
}
