import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Testing

struct IndexedRulesTests {
    /// The plain evaluator asks every condition of every rule as it stands in the document.
    @Test(arguments: MobileRulesSemantics.allCases)
    func theIndexedAnswerIsThatOfEvaluatingEveryRule(semantics: MobileRulesSemantics) throws {
        var matches = 0
        let documents = caseCount(8, plain: 3)
        for seed in 0..<documents {
            var random = RandomRules(random: SeededGenerator(seed: seed))
            // More than two words of the index's sets, and not a whole number of them.
            let rules = random.rules(150)
            let state = random.object()
            let history = InMemoryEventHistory()
            history.record(EventFingerprint(of: ["n": 1]), at: 5)
            let engine = try mobileEngine(rules) {
                $0.semantics = semantics
                $0.sharedStates = FixedSharedStates(["s": state])
                $0.history = history
            }
            for _ in 0..<25 {
                let event = random.event()
                let plain = engine.explain(event).rules.filter(\.matches).map(\.index)
                let indexed = engine.matchingRules(for: event)
                matches += plain.count
                #expect(indexed == plain, "seed \(seed), event \(event)")
                if indexed != plain { return }
            }
        }
        #expect(matches > documents * 500)
    }

    @Test func theStandardSemanticsNeverMatchMoreThanTheReference() throws {
        for seed in 1_000..<1_000 + caseCount(15, plain: 6) {
            var random = RandomRules(random: SeededGenerator(seed: seed))
            let rules = random.rules(30)
            let standard = try mobileEngine(rules) { $0.semantics = .standard }
            let reference = try mobileEngine(rules) { $0.semantics = .reference }
            for _ in 0..<20 {
                let event = random.event()
                let wider = Set(reference.matchingRules(for: event))
                #expect(Set(standard.matchingRules(for: event)).isSubset(of: wider), "seed \(seed)")
            }
        }
    }

    private func mobileEngine(
        _ rules: [JSValue], configure: (inout MobileRulesConfiguration) -> Void
    ) throws -> MobileRulesEngine {
        var configuration = MobileRulesConfiguration()
        configuration.now = { 1_000 }
        configure(&configuration)
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        return engine
    }
}
