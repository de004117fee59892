import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

/// A pattern that takes more steps or more memory than it may: without an answer it does not match, and a warning says
/// so.
struct AbandonedPatternTests {
    private static let pattern = "^(a+)+\\1$"
    private static let input = JSValue.string(String(repeating: "a", count: 40) + "!")
    private static let warning = DecisionEffect.warn(
        DecisionWarning(key: "text", matchType: "regexMatches", pattern: pattern))

    private static func slow(negated: Bool = false) -> JSValue {
        leaf("text", "regexMatches", .string(pattern), negated: negated)
    }

    /// A manager whose calls have far more steps for patterns than cheap patterns need.
    private func manager(
        _ rules: JSValue, _ members: JSObject = [:], callSteps: Int = 50_000
    ) throws -> ExperienceManager {
        var project: JSObject = [
            "audiences": [["id": "a", "key": "a", "rules": rules]],
            "experiences": [experience("e", ["audiences": ["a"]]), experience("f", ["audiences": ["a"]])],
        ]
        for member in members { project[member.key] = member.value }
        return try ExperienceManager(project, callSteps: callSteps)
    }

    @Test func aPatternThatTakesTooMuchMemoryIsGivenUp() throws {
        // The last alternative is too long to be ruled out in linear time, which would take most of this test's time.
        let pattern =
            "^(?:" + String(repeating: "(", count: 100) + "a" + String(repeating: ")", count: 100)
            + ")*\\1$|(?:bc){60000}"
        let graph = rules([leaf("text", "regexMatches", .string(pattern), negated: true)])
        let text = JSValue.string(String(repeating: "a", count: 20_000))
        let decision = try manager(graph, callSteps: RegExpLimits.steps).decide("e", ["text": text])
        #expect(decision.reason == .audienceNotMatched)
        #expect(decision.effects == [.warn(DecisionWarning(key: "text", matchType: "regexMatches", pattern: pattern))])
    }

    @Test(arguments: [false, true]) func anAbandonedPatternMatchesNeitherPlainNorNegated(negated: Bool) throws {
        let decision = try manager(rules([Self.slow(negated: negated)])).decide("e", ["text": Self.input])
        #expect(decision.reason == .audienceNotMatched)
        #expect(decision.effects == [Self.warning])
    }

    @Test func theOtherAlternativesStillCount() throws {
        let graph = rules([Self.slow(), leaf("text", "exists", nil)])
        let decision = try manager(graph).decide("e", ["text": Self.input])
        #expect(decision.variation != nil)
        #expect(decision.effects.warnings.count == 1)
    }

    @Test func theFirstThatIsGivenUpIsNamed() throws {
        let graph = rules([Self.slow(), leaf("text", "regexMatches", .string(Self.pattern + "|never"))])
        #expect(try manager(graph).decide("e", ["text": Self.input]).effects == [Self.warning])
    }

    @Test(arguments: [("any", "exists"), ("all", "doesNotExist")])
    func anAbandonedPatternIsNotTriedIfAnotherAudienceDecides(matching: String, settling: String) throws {
        let settings: JSObject = ["matching_options": ["audiences": .string(matching)]]
        let audiences: JSValue = [
            ["id": "settling", "rules": rules([leaf("text", settling, nil)])],
            ["id": "costly", "rules": rules([Self.slow()])],
        ]
        let manager = try ExperienceManager(
            [
                "audiences": audiences,
                "experiences": [
                    experience("e", ["audiences": ["settling", "costly"], "settings": .object(settings)])
                ],
            ], callSteps: 50_000)
        let decision = manager.decide("e", ["text": Self.input])
        #expect(decision.reason == (matching == "any" ? nil : .audienceNotMatched))
        #expect(decision.effects.warnings.isEmpty)
        let visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let gate = manager.explain("e", for: visitor, options: .located()).gates.first { $0.kind == .audiences }
        #expect(gate?.rules.count == 2, "An explanation shows both.")
    }

    @Test func oneContextIsWarnedAboutOnce() throws {
        let manager = try manager(rules([Self.slow()]))
        var visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let decisions = manager.selectVariations(for: &visitor, options: .located())
        #expect(decisions.effects == [Self.warning])
    }

    /// An audience for each pattern, and an experience for each audience.
    private func manager(patterns: [String], callSteps: Int = 50_000) throws -> ExperienceManager {
        let audiences = patterns.enumerated().map { index, pattern -> JSValue in
            let graph = rules([leaf("text", "regexMatches", .string(pattern))])
            return ["id": .string("a\(index)"), "rules": graph]
        }
        let experiences = patterns.indices.map { experience("e\($0)", ["audiences": [.string("a\($0)")]]) }
        return try ExperienceManager(
            ["audiences": .array(audiences), "experiences": .array(experiences)], callSteps: callSteps)
    }

    @Test func aCallHasOneBudgetAndOneWarning() throws {
        let manager = try manager(patterns: (0..<50).map { Self.pattern + "|never\($0)" })
        var visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let decisions = manager.selectVariations(for: &visitor, options: .located())
        #expect(decisions.value.allSatisfy { $0.reason == .audienceNotMatched })
        let warning = DecisionWarning(key: "text", matchType: "regexMatches", pattern: Self.pattern + "|never0")
        #expect(decisions.effects == [.warn(warning)])
    }

    @Test func ruleDataSpendTheSameBudget() throws {
        let manager = try manager(patterns: [Self.pattern, "^(a)\\1+!$"])
        var visitor = manager.visitor(id: "visitor")
        let data = RuleDataDecisionTests.Constant(answer: .value(Self.input))
        let decisions = manager.selectVariations(for: &visitor, options: .located { $0.visitorData = data })
        #expect(decisions.value.map(\.reason) == [.audienceNotMatched, .audienceNotMatched])
        #expect(decisions.effects == [Self.warning])
    }

    /// A context does not retry a pattern that was given up. A pattern that the budget had no room for is tried again
    /// by the next call.
    @Test func anotherCallTriesWhatOneHadToSkip() throws {
        let manager = try manager(patterns: [Self.pattern, "^(a)\\1+!$"])
        var visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let first = manager.selectVariations(for: &visitor, options: .located())
        #expect(first.value.map(\.reason) == [.audienceNotMatched, .audienceNotMatched])
        #expect(manager.isMember(ofAudience: 1, &visitor) == true)
        let second = manager.selectVariations(for: &visitor, options: .located())
        #expect(second.value.map { $0.variation != nil } == [false, true])
        #expect(second.effects.warnings == [])
    }

    @Test func patternsThatTakeLittleLeaveRoomForAll() throws {
        let manager = try manager(patterns: (0..<50).map { "^(a)\\1+!$|never\($0)" })
        var visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        #expect(manager.selectVariations(for: &visitor, options: .located()).value.allSatisfy { $0.variation != nil })
    }

    @Test func explainCallsItAbandoned() throws {
        let manager = try manager(rules([Self.slow(negated: true)]))
        let visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let gates = manager.explain("e", for: visitor, options: .located()).gates
        let ruleSet = try #require(gates.last?.rules.first)
        #expect(ruleSet.verdict == .notMatched)
        #expect(ruleSet.groups.first?.clauses.first?.conditions.map(\.verdict) == [.abandoned])
    }

    @Test func anAbandonedPatternIsPrintedAsAbandoned() throws {
        let manager = try manager(rules([Self.slow()]))
        let visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let line = try #require(manager.explain("e", for: visitor, options: .located()).lines.last)
        #expect(line.mark == .isOdd)
        #expect(line.text.hasPrefix("abandoned text ("))
    }

    @Test func aGoalIsNotTriggered() throws {
        let goal: JSValue = ["id": "g", "key": "g", "rules": rules([Self.slow(negated: true)])]
        let manager = try manager(rules([]), ["goals": [goal]])
        var visitor = manager.visitor(id: "visitor")
        var options = ConversionOptions()
        options.ruleData = ["text": Self.input]
        let conversion = GoalManager(project: manager.project).trackConversion("g", for: &visitor, options: options)
        #expect(conversion.value == .rulesNotMatched)
        #expect(conversion.effects == [Self.warning])
    }

    @Test func aSegmentIsNotJoined() throws {
        let segment: JSValue = ["id": "s", "key": "s", "rules": rules([Self.slow(negated: true)])]
        let manager = try manager(rules([]), ["segments": [segment]])
        var visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let change = SegmentsManager(project: manager.project).runCustomSegments(["s"], for: &visitor)
        #expect(change.effects == [Self.warning])
        #expect(visitor.state == VisitorState())
    }

    @Test func segmentsShareOneBudgetAndOneWarning() throws {
        let segments = ["s", "t"].map { key -> JSValue in
            ["id": .string(key), "key": .string(key), "rules": rules([Self.slow()])]
        }
        let manager = try manager(rules([]), ["segments": .array(segments)])
        var visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let change = SegmentsManager(project: manager.project).runCustomSegments(["s", "t"], for: &visitor)
        #expect(change.effects == [Self.warning])
    }

    @Test func theWarningNamesAttributeAndPattern() {
        let text = DecisionWarning(key: "text", matchType: "regexMatches", pattern: "^(a+)+$").description
        #expect(text.contains("'text'"))
        #expect(text.contains("^(a+)+$"))
    }

    @Test func aLongPatternIsCutInTheWarning() {
        let text = DecisionWarning(
            key: "text", matchType: "regexMatches", pattern: String(repeating: "x", count: 100_000)
        ).description
        #expect(text.contains(String(repeating: "x", count: 200)))
        #expect(!text.contains(String(repeating: "x", count: 201)))
    }
}
