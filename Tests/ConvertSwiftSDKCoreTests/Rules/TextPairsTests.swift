import ConvertECMAScript
import ConvertTestSupport
import Testing

@testable import ConvertSwiftSDKCore

/// What spares a search never hides what it would have found.
struct TextPairsTests {
    private static let letters = Array("ab|é\0 zA~".utf8)

    @Test func aTextHasThePairsOfEachPartOfIt() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<caseCount(2000) {
            let text = (0..<random.int(0...80)).map { _ in random.pick(Self.letters) }
            let start = random.int(0...text.count)
            let part = text[start..<random.int(start...text.count)]
            let pairs = text.withUnsafeBufferPointer { TextPairs.containing(ByteText($0)) }
            #expect(TextPairs.bits(of: part) & ~pairs == 0, "\(part) of \(text)")
        }
    }

    @Test func textsOfOneByteOrNoneHaveNoPairs() {
        #expect(TextPairs.bits(of: []) == 0 && TextPairs.bits(of: [7]) == 0 && TextPairs.bits(of: [7, 7]) != 0)
    }

    @Test(arguments: ["startsWith", "contains", "endsWith"]) func theDispatchAnswersAsASearchDoes(matchType: String) {
        var random = SeededGenerator(seed: 2)
        var matched = 0
        for _ in 0..<caseCount(2000) {
            let text = (0..<random.int(0...9)).map { _ in random.pick(["a", "b", "\0", "é", "|"]) }.joined()
            let part = (0..<random.int(0...6)).map { _ in random.pick(["a", "b", "\0", "é", "|"]) }.joined()
            let expected =
                switch matchType {
                case "startsWith": Array(text.utf8).starts(with: part.utf8)
                case "endsWith": Array(text.utf8.reversed()).starts(with: part.utf8.reversed())
                default: part.isEmpty || text.utf8.indices.contains { text.utf8[$0...].starts(with: part.utf8) }
                }
            let condition = RuleCondition(key: "a", matchType: matchType, value: .string(part), negation: false)
            let set = CompiledRuleSet([RuleGroup(clauses: [[condition]])])
            var attributes = set.resolve(["a": .string(text)])
            #expect(set.verdict(on: &attributes).isMatch == expected, "\(Array(text.utf8)) \(Array(part.utf8))")
            if expected { matched += 1 }
        }
        #expect(matched > 100)
    }
}
