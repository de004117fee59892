import ConvertECMAScript
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDKCore

/// A sweep finds what a walk finds, and leaves alone what only a walk may find out.
struct RuleSweepTests {
    @Test(arguments: RuleSemantics.allCases) func aSweepFindsWhatAWalkFinds(semantics: RuleSemantics) throws {
        var (swept, matched) = (0, 0)
        for seed in 0..<caseCount(150) {
            var random = SeededGenerator(seed: seed)
            let sets = (0..<20).map { _ in Self.groups(&random) }
            var compiler = RuleCompiler(semantics: semantics)
            var diagnostics: [ConfigDiagnostic] = []
            let rules = sets.map { compiler.compile($0, diagnostics: &diagnostics) }
            let program = RuleProgram(compiler, verdictCount: rules.count)
            let manager = RuleManager(program: program)
            var attributes = RandomProject.properties(&random)
            attributes["d"] = Self.value(&random)
            var walked = Attributes(attributes, in: program)
            var budget = CallBudget()
            let expected = rules.map {
                manager.evaluate($0, against: &walked, &budget, observer: SilentObserver())
            }
            var fresh = Attributes(attributes, in: program)
            manager.sweep(&fresh, &budget, rules.count) { rules[$0] }
            for (index, expected) in expected.enumerated() {
                guard let verdict = fresh.verdict(at: index) else { continue }
                #expect(verdict == expected, "seed \(seed)")
                swept += 1
                if verdict == .matched { matched += 1 }
            }
            // What the sweep resolved does not mislead a walk either.
            let again = rules.map { manager.evaluate($0, against: &fresh, &budget, observer: SilentObserver()) }
            #expect(again == expected, "seed \(seed)")
        }
        #expect(swept > 500 && matched > 100 && swept > matched)
    }

    @Test(arguments: [false, true]) func aPatternIsNotTriedBeforeItsTurn(isReached: Bool) throws {
        let pattern = #"^(a+)+\1$"#
        let clauses = [[leaf("b", "equals", "x")], [leaf("a", "regexMatches", .string(pattern))]]
        let config = Self.project(audience: ["OR": [block(clauses)]])
        let manager = try ExperienceManager(config, callSteps: 50_000)
        let text = JSValue.string(String(repeating: "a", count: 40) + "!")
        var visitor = manager.visitor(id: "v", attributes: ["a": text, "b": isReached ? "x" : "y"])
        let decisions = manager.selectVariations(for: &visitor, options: .located())
        #expect(decisions.value.map(\.reason) == Array(repeating: .audienceNotMatched, count: 10))
        let warning = DecisionEffect.warn(DecisionWarning(key: "a", matchType: "regexMatches", pattern: pattern))
        #expect(decisions.effects == (isReached ? [warning] : []))
    }

    @Test func fewDecisionsOrManyConditionsAreWalked() throws {
        let manager = try ExperienceManager(Self.project(audience: rules([leaf("a", "equals", "x")])))
        let small = manager.project.rules
        #expect(small.isWorthSweeping(forDecisions: 10) && !small.isWorthSweeping(forDecisions: 7))
        let many = (0..<257).map { leaf("a", "equals", .integer($0)) }
        let large = try ExperienceManager(Self.project(audience: rules(many))).project.rules
        #expect(!large.isWorthSweeping(forDecisions: 8) && large.isWorthSweeping(forDecisions: 9))
    }

    private func isSwept(_ visitor: borrowing Visitor) -> Bool { visitor.resolved.hasSweptVerdicts }

    @Test func aVisitorIsSweptOnceUntilAttributesChange() throws {
        let manager = try ExperienceManager(Self.project(audience: rules([leaf("a", "equals", "x")])))
        var visitor = manager.visitor(id: "v", attributes: ["a": "x"])
        var copy = visitor.copy()
        _ = manager.selectVariation("k0", for: &copy)
        #expect([isSwept(visitor), isSwept(copy)] == [false, false])
        #expect(manager.selectVariations(for: &visitor).value.allSatisfy { $0.variation != nil })
        #expect([isSwept(visitor)] == [true])
        visitor.apply(.segments(["a": "y"]), in: manager.project)
        #expect([isSwept(visitor)] == [false])
    }

    @Test func propertiesOfACallDecideItThoughTheVisitorWasSwept() throws {
        let manager = try ExperienceManager(Self.project(audience: rules([leaf("a", "equals", "x")])))
        var visitor = manager.visitor(id: "v", attributes: ["a": "y"])
        _ = manager.selectVariations(for: &visitor)
        #expect([isSwept(visitor)] == [true])
        let options = DecisionOptions.located { $0.visitorProperties = ["a": "x"] }
        #expect(manager.selectVariation("k0", for: &visitor, options: options).variation != nil)
    }

    @Test func aValueIsSplitAtBarsThereToo() throws {
        let manager = try ExperienceManager(Self.project(audience: rules([leaf("a", "isIn", "x|y")])))
        var visitor = manager.visitor(id: "v", attributes: ["a": "z|x"])
        #expect(manager.selectVariations(for: &visitor).value.allSatisfy { $0.variation != nil })
    }

    @Test func audiencesBeyondTheBudgetMatchNoVisitorThereToo() throws {
        let config = try config(Self.project(audience: rules([leaf("a", "equals", "x")])))
        let manager = ExperienceManager(
            project: Project(ProjectCompiler(config, options: CompilationOptions(), attachments: 9)))
        var visitor = manager.visitor(id: "v", attributes: ["a": "x"])
        let reasons = manager.selectVariations(for: &visitor).value.map(\.reason)
        #expect(reasons == Array(repeating: nil, count: 9) + [.audienceNotMatched])
    }

    @Test func cachedMalformedRulesEndEachCallUnderJavaScript() throws {
        let manager = try ExperienceManager(Self.project(audience: ["OR": [.null]]), .javaScript)
        var visitor = manager.visitor(id: "v")
        for _ in 0..<2 {
            let reasons = manager.selectVariations(for: &visitor, options: .located()).value.map(\.reason)
            #expect(reasons == [.malformedRules])
        }
    }

    /// Ten experiences that ask for one audience.
    private static func project(audience: JSValue) -> JSObject {
        [
            "audiences": [["id": "1", "key": "a", "rules": audience]],
            "experiences": .array(
                (0..<10).map {
                    [
                        "id": .string("e\($0)"), "key": .string("k\($0)"), "audiences": ["1"],
                        "settings": ["matching_options": ["audiences": "all"]],
                        "variations": [variation("1", 100)],
                    ]
                }),
        ]
    }

    private static func groups(_ random: inout SeededGenerator) -> [RuleGroup] {
        some(&random) { random in RuleGroup(clauses: some(&random) { random in some(&random) { condition(&$0) } }) }
    }

    /// Up to three elements, seldom none.
    private static func some<Element>(
        _ random: inout SeededGenerator, _ make: (inout SeededGenerator) -> Element
    ) -> [Element] {
        (0..<random.int(random.happens(4) ? 0...0 : 1...3)).map { _ in make(&random) }
    }

    private static func condition(_ random: inout SeededGenerator) -> RuleCondition {
        let operators = [
            "equals", "matches", "contains", "isIn", "less", "lessEqual", "startsWith", "endsWith", "exists",
            "doesNotExist", "not_exists", "regexMatches", "eq", "gt", "almost",
        ]
        return RuleCondition(
            key: random.pick(["a", "b", "c", "d"]), matchType: random.pick(operators),
            value: random.pick(
                ["1", "2", "", " ", 1, 2.5, .null, true, "1|2", ["2", "x"], [:], "^1", "["] as [JSValue]),
            negation: random.happens(30))
    }

    private static func value(_ random: inout SeededGenerator) -> JSValue {
        random.pick(["x|1", .string(String(repeating: "1", count: 300)), 2, -1, true, ["1"], [:], "İ", "2"])
    }
}
