@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

struct VisitorSearchTests {
    private static let values: [JSValue?] = [
        nil, .null, true, "", "a", "A", "b", "ab", "1", "5", 5, 10, -1, ["a"], ["a", "b"], ["a": 1], "true", "k", 4,
        "4",
    ]

    /// Every visitor with two attributes of few values, on rule graphs of every shape, holes included.
    @Test(arguments: RuleSemantics.allCases)
    func aGraphWithoutASolutionMatchesNoVisitorOfASmallWorld(semantics: RuleSemantics) {
        var found = (never: 0, always: 0, some: 0)
        for seed in 0..<caseCount(20) {
            var random = SeededGenerator(seed: seed)
            let groups = random.list(upTo: 3) { random in
                RuleGroup(
                    clauses: random.list(upTo: 3) { random in
                        random.list(upTo: 3) { random in
                            random.happens(3)
                                ? RuleAdapter(semantics: semantics).flatten(
                                    RuleTree(["OR": [.null]]))[0].clauses[0][0]
                                : RandomConditions.condition(
                                    &random, key: random.pick(["x", "y"]), semantics: semantics)
                        }
                    })
            }
            let pool = ConditionPool(semantics: semantics, budget: AnalysisBudget(RandomConditions.limits))
            let search = VisitorSearch(pool)
            let formula = pool.formula(of: groups, .visitor)
            let rules = TriedRules(groups, semantics)
            for isWanted in [true, false] {
                switch search.run([isWanted ? formula : formula.negated]) {
                case .impossible:
                    if isWanted { found.never += 1 } else { found.always += 1 }
                    for first in Self.values {
                        for second in Self.values {
                            var attributes = JSObject()
                            attributes["x"] = first
                            attributes["y"] = second
                            #expect(
                                rules.areMet(by: attributes) != isWanted,
                                "seed \(seed), \(isWanted): \(attributes)")
                        }
                    }
                case .found(let model):
                    found.some += 1
                    #expect(
                        rules.areMet(by: model.attributes) == isWanted,
                        "seed \(seed), \(isWanted): \(model.attributes)")
                case .undecided:
                    break
                }
            }
        }
        #expect(found.never > caseCount(1) && found.some > caseCount(10), "\(found)")
    }

    @Test func aVisitorOfALongLiteralPatternTakesNoSearch() {
        let pool = ConditionPool(semantics: .standard, budget: AnalysisBudget())
        let text = (0..<2_000).map { "\($0)" }.joined(separator: " ")
        let condition = RuleCondition(key: "k", matchType: "regexMatches", value: .string("^\(text)\\.$"))
        guard case .found(let model) = VisitorSearch(pool).run([pool.formula(of: condition, .visitor)]) else {
            Issue.record("no visitor was found")
            return
        }
        #expect(model.attributes == ["k": .string(text + ".")])
        #expect(pool.budget.transitions > AnalysisLimits().transitions - 1_000)
    }

    @Test func thousandsOfConditionsAreBounded() {
        var limits = AnalysisLimits()
        limits.transitions = 200_000
        let pool = ConditionPool(semantics: .standard, budget: AnalysisBudget(limits))
        let clauses = (0..<3_000).map { index in
            (0..<3).map { RuleCondition(key: "k\($0)", matchType: "contains", value: .string("t\(index)x\($0)")) }
        }
        let formula = pool.formula(of: [RuleGroup(clauses: clauses)], .visitor)
        if case .impossible = VisitorSearch(pool).run([formula]) { Issue.record("said to be impossible") }
        #expect((-2_000...0).contains(pool.budget.transitions))
    }
}
