import ConvertECMAScript
import ConvertTestSupport
import Testing

struct ByteTextTests {
    private func contains(_ text: [UInt8], _ needle: [UInt8]) -> Bool {
        text.withElements { text in needle.withElements { text.contains($0) }
        }
    }

    /// The definition of a search.
    private func containsNaively(_ text: [UInt8], _ needle: [UInt8]) -> Bool {
        if needle.count > text.count { return false }
        return (0...(text.count - needle.count)).contains { text[$0...].starts(with: needle) }
    }

    @Test func searchingRandomTextAgreesWithTheDefinition() {
        for seed in 0..<3_000 {
            var random = SeededGenerator(seed: seed)
            let text = Array(random.text(of: "ab", 0...60).utf8)
            let needle = Array(random.text(of: "ab", 0...9).utf8)
            #expect(contains(text, needle) == containsNaively(text, needle), "seed \(seed)")
        }
    }

    @Test func searchingRepetitiveTextAgreesWithTheDefinition() {
        for seed in 0..<400 {
            var random = SeededGenerator(seed: seed)
            let unit = random.text(of: "ab", 1...3)
            let text = Array((String(repeating: unit, count: 120) + random.text(of: "ab", 0...40)).utf8)
            let start = random.int(0...100)
            var needle = Array(text[start..<random.int((start + 20)...(text.count - 1))])
            if random.happens(60) { needle[random.int(0...needle.count - 1)] = UInt8(ascii: "c") }
            #expect(contains(text, needle) == containsNaively(text, needle), "seed \(seed)")
        }
    }

    @Test(arguments: [
        // Each attempt fails in the middle, so that the plain search would compare half of the needle everywhere.
        ("aaaaaaaa", "b", "aaaaaaaa"), ("abababab", "bb", "abababab"),
    ])
    func aNeedleThatNearlyMatchesEverywhereIsFoundOnlyWhereItIs(head: String, middle: String, tail: String) {
        let side = String(repeating: head, count: 200)
        let needle = Array((side + middle + String(repeating: tail, count: 200)).utf8)
        let text = Array(String(repeating: head, count: 2_000).utf8)
        #expect(contains(text, needle) == false)
        #expect(contains(text + needle, needle))
        #expect(contains(text + needle + text, needle))
    }

    @Test func prefixesAndSuffixesAgreeWithTheDefinition() {
        for seed in 0..<2_000 {
            var random = SeededGenerator(seed: seed)
            let text = Array(random.text(of: "ab", 0...24).utf8)
            let other = Array(random.text(of: "ab", 0...10).utf8)
            text.withElements { bytes in
                other.withElements { others in
                    let (left, right) = (bytes, others)
                    #expect(left.hasPrefix(right) == text.starts(with: other), "seed \(seed)")
                    #expect(left.hasSuffix(right) == text.reversed().starts(with: other.reversed()), "seed \(seed)")
                    #expect((left == right) == (text == other), "seed \(seed)")
                }
            }
        }
    }

    @Test(arguments: [(-1, 2), (0, 5), (3, 2), (4, 1), (1, -1), (Int.max, 1)])
    func aRangeOutsideOfThePoolIsEmpty(start: Int, count: Int) {
        let pool = Array("abcd".utf8)
        pool.withElements {
            #expect(ByteText($0, TableRange(start: start, count: count)).count == 0)
        }
    }
}
