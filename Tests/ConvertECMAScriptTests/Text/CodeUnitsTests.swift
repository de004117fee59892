import ConvertECMAScript
import ConvertTestSupport
import Testing

struct CodeUnitsTests {
    @Test func surrogatesComeBeforeTheLastBlocksOfTheBasicPlane() {
        #expect(ECMAScript.isLess("\u{1f600}", "\u{ff5e}"))
        #expect(ECMAScript.isLess("\u{10ffff}", "\u{e000}"))
        #expect(ECMAScript.isLess("\u{d7ff}", "\u{10000}"))
        #expect(ECMAScript.isLess("\u{10000}", "\u{10001}"))
        #expect(!ECMAScript.isLess("\u{e000}", "\u{10ffff}"))
    }

    @Test func prefixesComeFirstAndNothingIsLessThanItself() {
        #expect(ECMAScript.isLess("", "a"))
        #expect(ECMAScript.isLess("a", "ab"))
        #expect(!ECMAScript.isLess("a", "a"))
        #expect(!ECMAScript.isLess("", ""))
        #expect(ECMAScript.isLess("e\u{301}", "\u{e9}"))
    }

    @Test func orderIsThatOfTheArraysOfCodeUnits() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<30_000 {
            let prefix = random.scalars(upTo: 2)
            let left = prefix + random.scalars(upTo: 3)
            let right = prefix + random.scalars(upTo: 3)
            let expected = left.utf16.lexicographicallyPrecedes(right.utf16)
            let comparison = withUTF8(left) { left in
                withUTF8(right) { right in ECMAScript.compareCodeUnits(utf8: left, right) }
            }
            #expect(ECMAScript.isLess(left, right) == expected, "\(scalars(left)) \(scalars(right))")
            #expect((comparison < 0) == expected)
            #expect((comparison == 0) == left.utf16.elementsEqual(right.utf16))
        }
    }
}
