import ConvertECMAScript
import ConvertMobileRules
import Foundation
import Testing

/// Comparisons of one event with long texts are bounded together.
struct LongTextTests {
    private static let text = JSValue.string(String(repeating: "é", count: 5_000))

    /// A rule for each of `count` texts, none of which the event has.
    private static func rules(_ count: Int) -> [JSValue] {
        (0..<count).map { rule(matcher("k", "nc", .string("q\($0)")), consequence("c\($0)")) }
    }

    private static func engine(_ rules: [JSValue]) throws -> MobileRulesEngine {
        let engine = MobileRulesEngine(MobileRulesConfiguration())
        engine.replaceRules(with: try RulesDocument(json: rulesJSON(rules)))
        return engine
    }

    @Test func aConditionThatWouldTakeTooLongDoesNotHoldAndIsWarnedOf() throws {
        let values = (0..<200).map { JSValue.string("x\($0)") }
        let definition: JSObject = ["key": "k", "matcher": "nc", "values": .array(values)]
        let engine = try Self.engine([
            rule(condition("matcher", definition), consequence("none")), rule(always, consequence("always")),
        ])
        let result = engine.process(event(["k": Self.text]))
        #expect(result.consequences.map(\.id) == ["always"])
        #expect(result.warnings.map(\.place) == ["event data"])
        let explained = engine.explain(event(["k": Self.text])).rules
        #expect(explained.map(\.matches) == [false, true])
        #expect(explained.first?.condition.detail.hasSuffix("(given up)") == true)
    }

    /// What would come to more than the limit if each condition paid for itself, or if equality cost anything.
    @Test(arguments: [("nc", false), ("ne", true)])
    func anExplanationChargesAsARunDoes(matcher name: String, isEachOther: Bool) throws {
        let rules = (0..<300).map {
            rule(matcher("k", name, .string(isEachOther ? "q\($0)" : "q")), consequence("c\($0)"))
        }
        let engine = try Self.engine(rules)
        let result = engine.process(event(["k": Self.text]))
        #expect(result.consequences.count == 300)
        #expect(result.warnings.isEmpty)
        #expect(engine.explain(event(["k": Self.text])).rules.filter(\.matches).count == 300)
    }

    @Test func textsOfUsualLengthsAreComparedWithThousandsOfValues() throws {
        let header = JSValue.string(String(repeating: "Mozilla/5.0 (X11) ", count: 400))
        let result = try Self.engine(Self.rules(2_000)).process(event(["k": header]))
        #expect(result.consequences.count == 2_000)
        #expect(result.warnings.isEmpty)
    }
}
