import ConvertECMAScript
import Testing

struct WhiteSpaceTests {
    static let whiteSpace: Set<UInt32> = [
        0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006,
        0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF,
    ]

    @Test func exactlyTheSpecifiedScalarsAreWhiteSpaceInEveryFunction() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isWhiteSpace = Self.whiteSpace.contains(value)
            // A mismatch is rare and a failing expectation dear; a million passing ones would take most of a minute.
            if ECMAScript.isWhiteSpace(scalar) != isWhiteSpace { Issue.record("isWhiteSpace U+\(value)") }
            // The functions recognize it by its bytes; beyond the first plane a sample checks that.
            guard value <= 0xFFFF || value % 64 == 0 else { continue }
            let text = String(Character(scalar))
            if withUTF8(text, ECMAScript.isWhiteSpaceOnly) != isWhiteSpace {
                Issue.record("isWhiteSpaceOnly U+\(value)")
            }
            // Other scalars make it no number, digits and a sign another one.
            let isSeven = ECMAScript.stringToNumber(text + "7" + text) == 7
            if isSeven != isWhiteSpace { Issue.record("stringToNumber U+\(value)") }
        }
    }

    @Test func whiteSpaceAroundANumberIsPassedOver() {
        #expect(ECMAScript.stringToNumber("\u{3000} \u{feff}7\u{a0}\u{2028}\n") == 7)
        #expect(ECMAScript.stringToNumber(" \u{feff}\u{2003}\n") == 0)
        #expect(ECMAScript.stringToNumber(" 7 \u{a0}7 ").isNaN)
        #expect(ECMAScript.stringToNumber("\u{200b}7\u{85}").isNaN)
    }

    @Test func whiteSpaceIsRecognizedFromBytes() {
        #expect(withUTF8("", ECMAScript.isWhiteSpaceOnly))
        #expect(withUTF8(" \t\u{a0}\u{3000}\u{feff}", ECMAScript.isWhiteSpaceOnly))
        #expect(!withUTF8("  a", ECMAScript.isWhiteSpaceOnly))
        #expect(!withUTF8(" \u{85}", ECMAScript.isWhiteSpaceOnly))
    }
}
