import ConvertECMAScript
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDKCore

/// A call's comparisons share one budget, whatever the length of the visitor's texts allows each of them.
struct CallBudgetTests {
    /// A kind of comparison that takes the longer the longer the attribute is.
    struct Kind: Sendable, CustomTestStringConvertible {
        let matchType: String
        /// The value of the rule with this number. The attribute does not meet it.
        let value: @Sendable (Int) -> JSValue
        let attribute: JSValue

        var testDescription: String { "\(matchType) \(value(0))" }
    }

    private static let letters = String(repeating: "ab", count: 5_000)

    static let kinds = [
        Kind(matchType: "regexMatches", value: { .string("(\\w)\\1{3}x|n\($0)") }, attribute: .string(letters)),
        Kind(matchType: "regexMatches", value: { .string("[ab]{\($0 + 2)}[cd]") }, attribute: .string(letters)),
        Kind(matchType: "regexMatches", value: { .string("[ab](?=[cd]|b\($0))[cd]") }, attribute: .string(letters)),
        Kind(
            matchType: "regexMatches", value: { .string("(?<=[ab]{\($0 + 2)}[cd])[ab]") }, attribute: .string(letters)),
        Kind(matchType: "contains", value: { .string("ababab\($0)") }, attribute: .string("0123456789" + letters)),
        Kind(
            matchType: "isIn", value: { .string("x\($0)|y") }, attribute: .string(String(repeating: "a|", count: 5_000))
        ),
        Kind(matchType: "equals", value: { .string("x\($0)") }, attribute: .array(Array(repeating: "a", count: 5_000))),
        Kind(matchType: "equals", value: { .integer($0) }, attribute: .array(Array(repeating: .null, count: 5_000))),
        Kind(matchType: "less", value: { [.integer(-$0)] }, attribute: .array(Array(repeating: "a", count: 5_000))),
        Kind(matchType: "co", value: { .string("x\($0)") }, attribute: .string(letters)),
        Kind(matchType: "co", value: { .string("x\($0)") }, attribute: .string(String(repeating: "é", count: 500))),
    ]

    private static let ruleCount = inputSize(50, plain: 30)

    /// A negated rule of this kind: it matches if the budget allows an answer.
    private static func leaf(_ kind: Kind, _ number: Int) -> JSValue {
        ConvertSwiftSDKCoreTests.leaf("text", kind.matchType, kind.value(number), negated: true)
    }

    private static func graphs(_ kind: Kind) -> [JSValue] { (0..<ruleCount).map { rules([leaf(kind, $0)]) } }

    /// An experience for each of the rules.
    private static func manager(_ kind: Kind, callSteps: Int) throws -> ExperienceManager {
        let audiences = graphs(kind).enumerated().map { index, rules -> JSValue in
            ["id": .string("a\(index)"), "rules": rules]
        }
        let experiences = audiences.indices.map { experience("e\($0)", ["audiences": [.string("a\($0)")]]) }
        return try ExperienceManager(
            ["audiences": .array(audiences), "experiences": .array(experiences)], callSteps: callSteps)
    }

    /// A manager of an experience `e` for visitors that match `rules`.
    private static func manager(asking rules: JSValue, callSteps: Int? = nil) throws -> ExperienceManager {
        try ExperienceManager(
            [
                "audiences": [["id": "a", "rules": rules]], "experiences": [experience("e", ["audiences": ["a"]])],
            ], callSteps: callSteps)
    }

    @Test(arguments: kinds) func aConditionBeyondTheBudgetMatchesNoVisitorAndIsWarnedOfOnce(kind: Kind) throws {
        let manager = try Self.manager(kind, callSteps: 20_000)
        var visitor = manager.visitor(id: "visitor", attributes: ["text": kind.attribute])
        let decisions = manager.selectVariations(for: &visitor, options: .located())
        let answered = decisions.value.count { $0.variation != nil }
        #expect(answered < Self.ruleCount)
        #expect(decisions.value.allSatisfy { $0.variation != nil || $0.reason == .audienceNotMatched })
        let warnings = decisions.effects.warnings
        #expect(warnings.map(\.matchType) == [kind.matchType])
    }

    @Test(arguments: kinds) func enoughStepsAnswerAll(kind: Kind) throws {
        let manager = try Self.manager(kind, callSteps: 100_000_000)
        var visitor = manager.visitor(id: "visitor", attributes: ["text": kind.attribute])
        let decisions = manager.selectVariations(for: &visitor, options: .located())
        #expect(decisions.value.allSatisfy { $0.variation != nil })
        #expect(decisions.effects.warnings == [])
    }

    @Test(arguments: kinds) func theNextCallsAnswerWhatOneSkipped(kind: Kind) throws {
        let manager = try Self.manager(kind, callSteps: 200_000)
        var visitor = manager.visitor(id: "visitor", attributes: ["text": kind.attribute])
        var answered: [Int] = []
        for _ in 0..<3 {
            let decisions = manager.selectVariations(for: &visitor, options: .located()).value
            answered.append(decisions.count { $0.variation != nil })
        }
        #expect(answered[0] > 0 && (answered[0] < answered[1] || answered[1] == Self.ruleCount), "\(answered)")
        #expect(answered[1] < answered[2] || answered[2] == Self.ruleCount, "\(answered)")
    }

    @Test(arguments: kinds) func anExplanationCallsItAbandoned(kind: Kind) throws {
        let leaves = (0..<Self.ruleCount).map { Self.leaf(kind, $0).unnegated }
        let manager = try Self.manager(asking: rules(leaves), callSteps: 20_000)
        let visitor = manager.visitor(id: "visitor", attributes: ["text": kind.attribute])
        let gate = manager.explain("e", for: visitor, options: .located()).gates.last
        let conditions = gate?.rules.first?.groups.first?.clauses.first?.conditions ?? []
        #expect(conditions.count == Self.ruleCount)
        #expect(conditions.last?.verdict == .abandoned)
    }

    @Test(arguments: kinds) func ruleDataSpendTheBudgetToo(kind: Kind) throws {
        let manager = try Self.manager(kind, callSteps: 20_000)
        var visitor = manager.visitor(id: "visitor")
        let data = RuleDataDecisionTests.Constant(answer: .value(kind.attribute))
        let decisions = manager.selectVariations(for: &visitor, options: .located { $0.visitorData = data })
        #expect(decisions.value.last?.reason == .audienceNotMatched)
        #expect(decisions.effects.warnings.count == 1)
    }

    @Test(arguments: kinds) func locationsSpendItToo(kind: Kind) throws {
        let locations = Self.graphs(kind).enumerated().map { index, rules -> JSValue in
            ["id": .string("l\(index)"), "key": .string("l\(index)"), "rules": rules]
        }
        let experiences = locations.indices.map { experience("e\($0)", ["locations": [.string("l\($0)")]]) }
        let manager = try ExperienceManager(
            ["locations": .array(locations), "experiences": .array(experiences)], callSteps: 20_000)
        var visitor = manager.visitor(id: "visitor")
        let decisions = manager.selectVariations(
            for: &visitor, options: .located { $0.locationProperties = ["text": kind.attribute] })
        #expect(decisions.value.last?.variation == nil)
        #expect(decisions.effects.warnings.count == 1)
    }

    @Test(arguments: kinds) func segmentsSpendItToo(kind: Kind) throws {
        // The first that matches ends the search.
        let segments = (0..<Self.ruleCount).map { index -> JSValue in
            let key = JSValue.string("s\(index)")
            return ["id": key, "key": key, "rules": rules([Self.leaf(kind, index).unnegated])]
        }
        let manager = try ExperienceManager(["segments": .array(segments)], callSteps: 20_000)
        var visitor = manager.visitor(id: "visitor", attributes: ["text": kind.attribute])
        let keys = (0..<Self.ruleCount).map { "s\($0)" }
        let change = SegmentsManager(project: manager.project).runCustomSegments(keys, for: &visitor)
        #expect(change.effects.warnings.map(\.matchType) == [kind.matchType])
    }

    @Test(arguments: kinds) func goalsSpendItToo(kind: Kind) throws {
        let leaves = (0..<Self.ruleCount).map { Self.leaf(kind, $0).unnegated }
        let goal: JSValue = ["id": "g", "key": "g", "rules": rules(leaves)]
        let manager = try ExperienceManager(["goals": [goal]], callSteps: 20_000)
        var visitor = manager.visitor(id: "visitor")
        var options = ConversionOptions()
        options.ruleData = ["text": kind.attribute]
        let conversion = GoalManager(project: manager.project).trackConversion("g", for: &visitor, options: options)
        #expect(conversion.value == .rulesNotMatched)
        #expect(conversion.effects.warnings.map(\.matchType) == [kind.matchType])
    }

    @Test func comparisonsWithinTheBudgetAreAnsweredAndTheNextIsGivenUp() throws {
        let kind = try #require(Self.kinds.first { $0.matchType == "contains" })
        let length = kind.attribute.stringValue?.utf8.count ?? 0
        // Searching a text counts four visits a byte, and a step is ten.
        for answered in [0, 1, 7] {
            for steps in [4 * length * answered / 10, 4 * length * (answered + 1) / 10 - 1] {
                let manager = try Self.manager(kind, callSteps: steps)
                var visitor = manager.visitor(id: "visitor", attributes: ["text": kind.attribute])
                let decisions = manager.selectVariations(for: &visitor, options: .located()).value
                #expect(decisions.count { $0.variation != nil } == answered)
            }
        }
    }

    @Test func shortTextsCostNothing() throws {
        for text in [String(repeating: "a", count: CallBudget.freeTextCount), "", "İ"] {
            for matchType in ["contains", "isIn", "equals", "co", "startsWith"] {
                let graph = rules([ConvertSwiftSDKCoreTests.leaf("text", matchType, "xyz", negated: true)])
                let manager = try Self.manager(asking: graph, callSteps: 0)
                #expect(manager.decide("e", ["text": .string(text)]).variation != nil, "\(matchType)")
            }
        }
    }

    @Test func thousandsOfComparisonsWithALongHeaderFit() throws {
        let header = String(String(repeating: "Mozilla/5.0 (X11; Linux x86_64) ", count: 256).prefix(8_192))
        let count = inputSize(2_000, plain: 500)
        let leaves = (0..<count).map { number in
            number % 2 == 0
                ? ConvertSwiftSDKCoreTests.leaf("text", "contains", .string("linux-\(number)"))
                : ConvertSwiftSDKCoreTests.leaf("text", "regexMatches", .string("(?:x11|opera)[ /](\\d+)-\(number)"))
        }
        let manager = try Self.manager(asking: rules(leaves))
        let decision = manager.decide("e", ["text": .string(header)])
        #expect(decision.reason == .audienceNotMatched)
        #expect(decision.effects.warnings == [])
    }

    @Test func aComparisonThatWouldTakeSecondsIsGivenUp() throws {
        let values = (0..<200).map { JSValue.string("x\($0)") }
        let graph = rules([ConvertSwiftSDKCoreTests.leaf("text", "nc", .array(values))])
        let manager = try Self.manager(asking: graph)
        let decision = manager.decide("e", ["text": .string(String(repeating: "é", count: 5_000))])
        #expect(decision.reason == .audienceNotMatched)
        #expect(decision.effects.warnings.map(\.matchType) == ["nc"])
    }

    @Test func aCallMayTakeAsLongAsOneTestOfAPattern() {
        #expect(CallBudget.steps >= RegExpLimits.steps)
        #expect(CompilationOptions().callSteps == CallBudget.steps)
    }
}

extension JSValue {
    /// The leaf without negation.
    fileprivate var unnegated: JSValue {
        guard case .object(var leaf) = self, case .object(var matching)? = leaf["matching"] else { return self }
        matching["negated"] = false
        leaf["matching"] = .object(matching)
        return .object(leaf)
    }
}
