import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import Testing

struct StateKeysTests {
    private static let names = ["k", "o.k", "o.k.j", "l.0", "l.1.k", "l.01", "a.b", "é", "e\u{301}"]

    /// Few keys are looked up in a state, many are found by a walk through it unless it is much larger.
    @Test(arguments: [5, 500], [0, 2_000])
    func rulesThatNameKeysOfAStateAreFoundAsIfAllWereEvaluated(keyCount: Int, otherLeaves: Int) throws {
        let keys = (0..<keyCount).map { "~state.s/\(Self.names[$0 % Self.names.count])\($0 < 9 ? "" : "\($0)")" }
        let rules = keys.map { rule(matcher($0, "eq", 1), consequence("x")) }
        let missing = keys.map { rule(matcher($0, "ne", "x"), consequence("x")) }
        var random = SeededGenerator(seed: keyCount)
        var matches = 0
        let states = caseCount(8, plain: 3)
        for _ in 0..<states {
            var state = JSObject()
            // Names that other paths lead to, too: the whole name counts before its parts.
            for key in ["k", "o.k", "a.b", "é", "e\u{301}", "k12"] where random.happens(50) {
                state[key] = .integer(random.int(0...1))
            }
            if random.happens(70) { state["o"] = ["k": .integer(random.int(0...1)), "k.j": 1] }
            if random.happens(70) { state["a"] = ["b": .integer(random.int(0...1))] }
            if random.happens(70) { state["l"] = [1, ["k": .integer(random.int(0...1))]] }
            if otherLeaves > 0 { state["l"] = .array(Array(repeating: ["k": 1], count: otherLeaves)) }
            let engine = try engine(rules: rules + missing, state: state)
            let plain = engine.explain(event()).rules.filter(\.matches).map(\.index)
            #expect(engine.matchingRules(for: event()) == plain, "\(state)")
            matches += plain.count
        }
        #expect(matches > states * 5)
    }

    @Test func keysAreComparedByTheirCodeUnits() throws {
        let rules = [rule(matcher("~state.s/é", "eq", 1)), rule(matcher("~state.s/e\u{301}", "eq", 1))]
        #expect(try engine(rules: rules, state: ["é": 1]).matchingRules(for: event()) == [0])
        #expect(try engine(rules: rules, state: ["e\u{301}": 1]).matchingRules(for: event()) == [1])
    }

    private func engine(rules: [JSValue], state: JSObject) throws -> MobileRulesEngine {
        var configuration = MobileRulesConfiguration()
        configuration.sharedStates = FixedSharedStates(["s": state])
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        return engine
    }
}
