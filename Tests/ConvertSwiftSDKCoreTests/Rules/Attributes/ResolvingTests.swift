import ConvertECMAScript
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDKCore

/// However an attribute is found and looked up, it is compared as a single value is.
struct ResolvingTests {
    private static func rules(_ key: String, _ matchType: String, _ value: JSValue) -> [RuleGroup] {
        [RuleGroup(clauses: [[RuleCondition(key: key, matchType: matchType, value: value)]])]
    }

    /// Texts of up to 18 bytes, around the length that is kept in place of an address.
    private static func text(_ random: inout SeededGenerator) -> String {
        let letters = ["a", "b", "A", "|", "{", "é", "\0"]
        return (0..<random.int(0...18)).map { _ in letters[min(random.int(0...20), 6)] }.joined()
    }

    @Test(arguments: ["equals", "isIn", "matches"], [2, 40])
    func aTextAmongFewOrManyIsComparedAsAlone(matchType: String, count: Int) {
        var random = SeededGenerator(seed: 4)
        var hits = 0
        let rounds = caseCount(15, plain: count > 2 ? 3 : 15)
        for _ in 0..<rounds {
            let texts = (0..<count).map { _ in Self.text(&random) }
            let groups = texts.flatMap { Self.rules("key", matchType, .string($0)) }
            for text in texts.prefix(8) + (0..<8).map({ _ in Self.text(&random) }) {
                let variants = [text, text.uppercased(), text + "|b", String(text.dropLast())]
                for value in variants {
                    let expected = texts.contains {
                        Comparisons.evaluate(matchType: matchType, value: .string(value), testAgainst: .string($0))
                    }
                    let holds = SingleRuleSet(groups).evaluate(against: ["key": .string(value)])
                    if expected { hits += 1 }
                    if holds != expected { Issue.record("\(value.debugDescription) \(matchType) \(texts)") }
                }
            }
        }
        #expect(hits > rounds)
    }

    @Test func aTextWithABarIsSplitForListsToo() {
        // The first group, which names the text, matches neither visitor.
        let named = ["a|b", "other"].map { [RuleCondition(key: "key", matchType: "equals", value: .string($0))] }
        let groups = [RuleGroup(clauses: named)] + Self.rules("key", "isIn", "a")
        #expect(SingleRuleSet(groups).evaluate(against: ["key": "a|b"]))
        #expect(!SingleRuleSet(groups).evaluate(against: ["key": "b|c"]))
    }

    @Test(arguments: [0, 7, 8, 40], ["plan", "a name of more than fifteen bytes", "", "日本"])
    func anAttributeIsFoundHoweverItsNameIsKeptAndAmongHowManyOthers(others: Int, name: String) {
        // Texts of their own, so that the bits of a long name differ on both sides.
        let rulesName = String(decoding: Array(name.utf8), as: UTF8.self)
        let groups = Self.rules(rulesName, "equals", "pro")
        for place in [0, others / 2, others] {
            var attributes = JSObject((0..<place).map { ("other \($0)", "pro") })
            let absent = JSObject((0..<others).map { ("other \($0)", "pro") })
            attributes[String(decoding: Array(name.utf8), as: UTF8.self)] = "Pro"
            for index in place..<others { attributes["other \(index)"] = "pro" }
            #expect(SingleRuleSet(groups).evaluate(against: attributes))
            #expect(!SingleRuleSet(groups).evaluate(against: absent))
        }
    }
}
