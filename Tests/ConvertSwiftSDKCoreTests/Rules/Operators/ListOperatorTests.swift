import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

struct ListOperatorTests {
    @Test func isInAgreesWithALinearSearchThroughTheList() {
        var answers: [Bool] = []
        for seed in 0..<1_500 {
            var random = SeededGenerator(seed: seed)
            let items = random.list(upTo: 40) { $0.text(of: "abcé😀", 0...2) }
            let parts = random.list(upTo: 2) { $0.text(of: "abcé😀", 0...2) }
            let value = parts.joined(separator: "|")
            // Text without a separator is one part, which is empty for empty text.
            let asked = parts.isEmpty ? [""] : parts
            let expected = asked.contains { part in items.contains(part) }
            let list = JSValue.array(items.map(JSValue.string))
            #expect(holds("isIn", list, attribute: .string(value)) == expected, "seed \(seed)")
            answers.append(expected)
        }
        #expect(Set(answers) == [true, false])
    }
}
