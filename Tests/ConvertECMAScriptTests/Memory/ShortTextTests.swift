import ConvertTestSupport
import Testing

@testable import ConvertECMAScript

/// The standard library keeps short texts as ``ShortText`` reads them.
struct ShortTextTests {
    /// `bytes` as a text in place, and as one in memory of its own.
    private static func texts(_ bytes: [UInt8]) -> [String] {
        var stored = ""
        stored.reserveCapacity(100)
        let text = String(decoding: bytes, as: UTF8.self)
        stored += text
        return [text, stored]
    }

    @Test func theCompilersLiteralsTellThatTheLayoutHolds() {
        #if _endian(little) && _pointerBitWidth(_64) && !os(Android)
        #expect(ShortText.isTrusted && MemoryLayout<String>.size == 16)
        #else
        #expect(!ShortText.isTrusted)
        #endif
    }

    /// As the process makes them, of parts that no compiler knows, and literals that only it knows.
    @Test(arguments: 0...40) func whatATextsHighestBitsSayHoldsWhateverItsLength(count: Int) {
        #if _endian(little) && _pointerBitWidth(_64) && !os(Android)
        func isMarkedShort(_ text: String) -> Bool { unsafeBitCast(text, to: (UInt64, UInt64).self).1 &>> 60 == 0b1110 }
        let isMade = (0..<count).map { String($0 % 10) }.joined()
        for text in Self.texts(Array(isMade.utf8)) { #expect(!isMarkedShort(text) || count <= 15) }
        #expect(isMarkedShort(isMade) == (count <= 15))
        // Of each length one that is not ASCII, and one with bytes of zero.
        for text in [isMade + "é", "é" + isMade, isMade + "日"] { #expect(!isMarkedShort(text)) }
        #expect(isMarkedShort(isMade + "\0") == (count + 1 <= 15))
        // A part of a longer text, as a text of its own.
        let part = String((isMade + "é0123456789abcdef").prefix(count))
        #expect(isMarkedShort(part) == (count <= 15) && ShortText(part)?.count == (count <= 15 ? count : nil))
        #endif
    }

    @Test func aShortTextHasTheBytesOfTheText() {
        var random = SeededGenerator(seed: 1)
        var count = 0
        for _ in 0..<caseCount(5000) {
            let bytes = (0..<random.int(0...18)).map { _ in UInt8(random.int(0...127)) }
            for text in Self.texts(bytes) {
                guard let short = ShortText(text) else { continue }
                count += 1
                let words = (0..<2).map { word in
                    bytes.dropFirst(8 * word).prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                }
                #expect([short.prefix, short.rest] == words && short.count == bytes.count, "\(bytes)")
            }
        }
        #if _pointerBitWidth(_64) && !os(Android)
        #expect(count > caseCount(5000) / 2)
        #endif
    }

    @Test(arguments: ["é", "", "0123456789abcde", "e\u{301}", "日本"]) func onlyTextsInPlaceOfASCIIAreShort(text: String)
    {
        #if _pointerBitWidth(_64) && !os(Android)
        #expect((ShortText(text) != nil) == text.utf8.allSatisfy { $0 < 0x80 })
        #endif
        #expect(ShortText(text + "0123456789abcdef") == nil)
    }

    @Test func aNameIsFoundHoweverItIsKept() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<caseCount(2000) {
            let bytes = (0..<random.int(0...18)).map { _ in UInt8(random.int(0...127)) }
            let texts = Self.texts(bytes)
            for name in texts {
                let object: JSObject = JSObject([(name, JSValue.integer(1))])
                for key in texts {
                    #expect(object[key] == 1 && object[PropertyKey(key)] == 1, "\(bytes)")
                    #expect(PropertyKey(key).hash == PropertyKey(name).hash, "\(bytes)")
                }
            }
        }
    }
}
