import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

struct TextSearchTests {
    @Test(arguments: ["startsWith", "contains", "endsWith"]) func findsWhatAPlainSearchFinds(matchType: String) {
        var random = SeededGenerator(seed: 2)
        var matched = 0
        for _ in 0..<caseCount(2000, plain: 700) {
            let text = (0..<random.int(0...9)).map { _ in random.pick(["a", "b", "\0", "é", "|"]) }.joined()
            let part = (0..<random.int(0...6)).map { _ in random.pick(["a", "b", "\0", "é", "|"]) }.joined()
            let expected =
                switch matchType {
                case "startsWith": Array(text.utf8).starts(with: part.utf8)
                case "endsWith": Array(text.utf8.reversed()).starts(with: part.utf8.reversed())
                default: part.isEmpty || text.utf8.indices.contains { text.utf8[$0...].starts(with: part.utf8) }
                }
            let condition = RuleCondition(key: "a", matchType: matchType, value: .string(part))
            let isMatch = SingleRuleSet([RuleGroup(clauses: [[condition]])]).evaluate(against: ["a": .string(text)])
            #expect(isMatch == expected, "\(Array(text.utf8)) \(Array(part.utf8))")
            if expected { matched += 1 }
        }
        #expect(matched > 100)
    }
}
