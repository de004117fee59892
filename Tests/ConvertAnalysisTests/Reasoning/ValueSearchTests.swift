@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

struct ValueSearchTests {
    @Test(arguments: RuleSemantics.allCases)
    func noValueMeetsConditionsThatAreImpossible(semantics: RuleSemantics) {
        var answers = (impossible: 0, values: 0, undecided: 0)
        for seed in 0..<caseCount(50) {
            var random = SeededGenerator(seed: seed)
            let wishes = (0..<random.int(1...4)).map { _ in
                (
                    condition: ConditionDomain(
                        RandomConditions.condition(&random, semantics: semantics), semantics: semantics),
                    isWanted: random.happens(70)
                )
            }
            let answer = ValueSearch(wishes, budget: AnalysisBudget(RandomConditions.limits)).run()
            let spelled = wishes.map { "\($0.isWanted ? "" : "not: ")\($0.condition.condition.summary)" }
            let tried = wishes.map { TriedRules([RuleGroup(clauses: [[$0.condition.condition]])], semantics) }
            func isMet(_ value: JSValue?) -> Bool {
                zip(tried, wishes).allSatisfy { $0.areMet(by: value.map { ["x": $0] } ?? JSObject()) == $1.isWanted }
            }
            switch answer {
            case .impossible:
                answers.impossible += 1
                let met = RandomConditions.values.first(where: isMet)
                #expect(met == nil, "seed \(seed): \(spelled) \(String(describing: met))")
            case .value(let value):
                answers.values += 1
                #expect(isMet(value), "seed \(seed): \(spelled) \(String(describing: value))")
            case .undecided:
                answers.undecided += 1
            }
        }
        #expect(
            answers.impossible > caseCount(3) && answers.values > caseCount(5) && answers.undecided < caseCount(20),
            "\(answers)")
    }

    @Test(arguments: RuleSemantics.allCases)
    func machinesAnswerAsTheRuleEngine(semantics: RuleSemantics) {
        for seed in 0..<caseCount(60) {
            var random = SeededGenerator(seed: seed)
            let domain = ConditionDomain(
                RandomConditions.condition(&random, semantics: semantics), semantics: semantics)
            if domain.constant != nil { continue }
            for case .string(let text)? in RandomConditions.values {
                let units = domain.text.readsLowerCase ? ECMAScript.toLowerCase(text) : text
                let state = units.utf16.reduce(0) { domain.text.next($0, $1) }
                let truth = domain.text.truth(at: state)
                if truth == .unknown { continue }
                #expect(
                    domain.holds(for: .string(text)) == (truth == .yes), "\(domain.condition.summary) of '\(text)'")
            }
            for value in RandomConditions.values {
                guard let number = value?.numberValue, number.isFinite else { continue }
                if let numbers = domain.numbers {
                    #expect(domain.holds(for: value) == numbers.contains(number), "\(domain.condition.summary)")
                } else if let machine = domain.numberText {
                    let text = ECMAScript.toLowerCase(ECMAScript.toString(number))
                    let truth = machine.truth(at: text.utf16.reduce(0) { machine.next($0, $1) })
                    if truth == .unknown { continue }
                    #expect(domain.holds(for: value) == (truth == .yes), "\(domain.condition.summary) of \(number)")
                }
            }
        }
    }

    @Test(arguments: [
        (["^[a-z]{3}$", "^a", "c$"], "abc"), (["^\\d{4}$", "^20", "5$"], "2005"),
        (["^(foo|bar)+$", "^.{6}$", "r$"], "foobar"),
    ])
    func theShortestTextThatMatchesAllPatternsIsFound(patterns: [String], expected: String) throws {
        let wishes = patterns.map { pattern in
            (
                condition: ConditionDomain(
                    RuleCondition(key: "x", matchType: "regexMatches", value: .string(pattern)), semantics: .standard),
                isWanted: true
            )
        }
        guard
            case .value(.string(let text)?) = ValueSearch(wishes, budget: AnalysisBudget(RandomConditions.limits)).run()
        else {
            Issue.record("no text")
            return
        }
        #expect(text.count == expected.count)
        for pattern in patterns { #expect(try RegExp(pattern, flags: "i").test(text)) }
    }

    @Test func oneMoreStateThanAllowedIsUndecided() {
        func answer(states: Int) -> ValueSearch.Answer {
            var limits = AnalysisLimits()
            limits.states = states
            let patterns = ["^a{50}$", "^(a{7})*$"]
            return ValueSearch(
                patterns.map { pattern in
                    (
                        condition: ConditionDomain(
                            RuleCondition(key: "x", matchType: "regexMatches", value: .string(pattern)),
                            semantics: .standard), isWanted: true
                    )
                }, budget: AnalysisBudget(limits)
            ).run()
        }
        guard case .impossible = answer(states: 20_000) else {
            Issue.record("not decided with room")
            return
        }
        guard case .undecided = answer(states: 20) else {
            Issue.record("decided without room")
            return
        }
    }
}
