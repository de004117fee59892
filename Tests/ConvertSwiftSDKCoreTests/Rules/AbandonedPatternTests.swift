import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

/// A pattern that takes more steps or more memory than it may: no answer is no match, and somebody is told.
struct AbandonedPatternTests {
    private static let pattern = "^(a+)+\\1$"
    private static let input = JSValue.string(String(repeating: "a", count: 40) + "!")
    private static let warning = DecisionEffect.warn(DecisionWarning(key: "text", pattern: pattern))

    private static func slow(negated: Bool = false) -> JSValue {
        leaf("text", "regexMatches", .string(pattern), negated: negated)
    }

    private func manager(_ rules: JSValue, _ members: JSObject = [:]) throws -> ExperienceManager {
        var project: JSObject = [
            "audiences": [["id": "a", "key": "a", "rules": rules]],
            "experiences": [experience("e", ["audiences": ["a"]]), experience("f", ["audiences": ["a"]])],
        ]
        for member in members { project[member.key] = member.value }
        return try ExperienceManager(project)
    }

    @Test func soIsOneThatTakesTooMuchMemory() throws {
        let pattern = "^(?:" + String(repeating: "(", count: 100) + "a" + String(repeating: ")", count: 100) + ")*\\1$"
        let graph = rules([leaf("text", "regexMatches", .string(pattern), negated: true)])
        let text = JSValue.string(String(repeating: "a", count: 20_000))
        let decision = try manager(graph).decide("e", ["text": text])
        #expect(decision.reason == .audienceNotMatched)
        #expect(decision.effects == [.warn(DecisionWarning(key: "text", pattern: pattern))])
    }

    @Test(arguments: [false, true]) func itMatchesNeitherPlainNorNegated(negated: Bool) throws {
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

    @Test func oneContextIsWarnedAboutOnce() throws {
        let manager = try manager(rules([Self.slow()]))
        var visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let decisions = manager.selectVariations(for: &visitor, options: .located())
        #expect(decisions.map(\.effects) == [[Self.warning], []])
    }

    @Test func explainCallsItAbandoned() throws {
        let manager = try manager(rules([Self.slow(negated: true)]))
        let visitor = manager.visitor(id: "visitor", attributes: ["text": Self.input])
        let gates = manager.explain("e", for: visitor, options: .located()).gates
        let ruleSet = try #require(gates.last?.rules.first)
        #expect(ruleSet.verdict == .notMatched)
        #expect(ruleSet.groups.first?.clauses.first?.conditions.map(\.verdict) == [.abandoned])
    }

    @Test func aGoalIsNotTriggered() throws {
        let goal: JSValue = ["id": "g", "key": "g", "rules": rules([Self.slow(negated: true)])]
        let manager = try manager(rules([]), ["goals": [goal]])
        var visitor = manager.visitor(id: "visitor")
        var options = ConversionOptions()
        options.ruleData = ["text": Self.input]
        let conversion = GoalManager(project: manager.project).trackConversion("g", for: &visitor, options: options)
        #expect(conversion.outcome == .rulesNotMatched)
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

    @Test func theWarningNamesAttributeAndPattern() {
        let text = DecisionWarning(key: "text", pattern: "^(a+)+$").description
        #expect(text.contains("'text'"))
        #expect(text.contains("^(a+)+$"))
    }

    @Test func aLongPatternIsCutInTheWarning() {
        let text = DecisionWarning(key: "text", pattern: String(repeating: "x", count: 100_000)).description
        #expect(text.contains(String(repeating: "x", count: 200)))
        #expect(!text.contains(String(repeating: "x", count: 201)))
    }
}
