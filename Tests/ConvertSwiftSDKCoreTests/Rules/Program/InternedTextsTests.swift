import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

struct InternedTextsTests {
    private var texts = InternedTexts()

    private mutating func number(_ text: String, _ slot: Int) -> UInt32 {
        texts.number(of: texts.spelling(of: .string(text)), in: slot)
    }

    private func found(_ text: String, _ slot: Int, in frozen: InternedTexts.Frozen) -> UInt32 {
        Array(text.utf8).withElements { frozen.number(of: $0, in: slot) }
    }

    @Test mutating func everySlotCountsItsTextsFromOne() {
        #expect(number("a", 1) == 1)
        #expect(number("b", 1) == 2)
        #expect(number("b", 7) == 1)
        #expect(number("", 7) == 2)
        #expect(number("a", 1) == 1)
        #expect(number("", 7) == 2)
    }

    @Test mutating func everyTextIsKeptOnce() {
        let (small, capital) = (texts.lowercase(of: "AB"), texts.spelling(of: "AB"))
        #expect(texts.bytes == Array("abAB".utf8))
        #expect(texts.lowercase(of: "aB").start == small.start && texts.spelling(of: "AB").start == capital.start)
        #expect(texts.numbers(ofListed: "a|B|ab|", in: 3) == [1, 2, 3, 4])
        #expect(texts.numbers(ofListed: ["Ab", "a|b"], in: 3) == [3, 5])
        #expect(texts.numbers(ofListed: 1, in: 3) == [])
        #expect(texts.bytes == Array("abABaba|b".utf8))
    }

    /// Texts that differ in a few bytes, only in length, or only behind the first bytes.
    static let texts = [
        "", "\0", "a", "a\0", "abcdefg", "abcdefg\0", "abcdefgh", "abcdefgh\0", "abcdefghi", "abcdefghj",
    ]

    /// Slots of few texts are looked through, of more a table is asked.
    @Test(arguments: [6, 7]) mutating func textsAreComparedByAllTheirBytes(fillers: Int) {
        for slot in [3, 1] {
            for text in Self.texts.dropFirst(slot) { _ = number(text, slot) }
            for index in 0..<fillers + slot { _ = number("filler \(index)", slot) }
        }
        let frozen = InternedTexts.Frozen(texts)
        for slot in 0...4 {
            for (index, text) in Self.texts.enumerated() {
                let isNamed = (slot == 1 || slot == 3) && index >= slot
                #expect(found(text, slot, in: frozen) == (isNamed ? UInt32(index - slot + 1) : 0))
            }
            #expect(found("abcdefghk", slot, in: frozen) == 0)
            #expect(found("filler 6", slot, in: frozen) == (slot == 1 || slot == 3 ? UInt32(17 - slot) : 0))
        }
    }

    @Test mutating func aTextHasANumberIfARuleOfItsSlotNamesIt() {
        // Many times what the table begins with, so that hashes meet in it.
        for slot in 0..<20 {
            for index in 0..<100 { _ = number("text \(index * (slot + 1))", slot) }
        }
        let frozen = InternedTexts.Frozen(texts)
        for slot in 0..<20 {
            for index in 0..<2_100 {
                let isNamed = index % (slot + 1) == 0 && index / (slot + 1) < 100
                let expected = isNamed ? UInt32(index / (slot + 1) + 1) : 0
                if found("text \(index)", slot, in: frozen) != expected { Issue.record("\(index) in \(slot)") }
            }
        }
        #expect(found("text 0", 20, in: frozen) == 0)
    }
}
