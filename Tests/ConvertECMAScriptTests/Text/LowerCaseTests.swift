import ConvertECMAScript
import ConvertTestSupport
import Testing

struct LowerCaseTests {
    static let texts: [(text: String, lower: String)] = [
        ("", ""), ("abc", "abc"), ("AZ@[`{az", "az@[`{az"), ("ÀÖ×ØÞß", "àö×øþß"),
        ("\u{212a}\u{212b}\u{2126}", "k\u{e5}\u{3c9}"),
        ("İ", "i\u{307}"), ("ẞ", "ß"), ("Ⱥ", "ⱥ"), ("Ǆǅǆ", "ǆǆǆ"), ("𐐀", "𐐨"), ("ı", "ı"), ("ﬁ", "ﬁ"),
        ("CAFE\u{301}", "cafe\u{301}"),
    ]

    /// Sixteen bytes are mapped at a time; every length around that, and everything that ASCII has.
    @Test(arguments: 0..<70)
    func bytesOfEveryLengthAreMapped(length: Int) {
        for shift in [0, 37, 64, 91] {
            let scalars = (0..<length).map { Unicode.Scalar(UInt8((shift + $0) % 128)) }
            let expected = scalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value + 32)) : $0 }
            for ending in ["", "É", "Σ"] {
                let text = String(String.UnicodeScalarView(scalars)) + ending
                var lower: [UInt8] = Array("X".utf8)
                withUTF8(text) { ECMAScript.appendLowerCase(utf8: $0, to: &lower) }
                let tail = ending.isEmpty ? [] : Array(ECMAScript.toLowerCase(text).utf8.suffix(2))
                #expect(lower == Array("X".utf8) + expected.map { UInt8($0.value) } + tail)
            }
        }
    }

    @Test(arguments: texts)
    func mappingsAreFullAndWithoutLocale(text: String, lower: String) {
        #expect(scalars(ECMAScript.toLowerCase(text)) == scalars(lower))
    }

    static let sigmas: [(text: String, lower: String)] = [
        ("Σ", "σ"), ("ΑΣ", "ας"), ("ΣΑ", "σα"), ("ΑΣΑ", "ασα"), ("ΣΣΣ", "σσς"), ("ΑΣ ΑΣ", "ας ας"), ("1Σ", "1σ"),
        ("Α.Σ", "α.ς"), ("ΑΣ.", "ας."), ("ΑΣ.Α", "ασ.α"), ("Α\u{ad}\u{301}Σ\u{2019}", "α\u{ad}\u{301}ς\u{2019}"),
        ("\u{2b0}Σ", "\u{2b0}σ"), ("\u{345}Σ", "\u{345}σ"), ("A\u{2b0}Σ", "a\u{2b0}ς"), ("\u{aa}Σ", "\u{aa}ς"),
        ("ΑΣ\u{aa}", "ασ\u{aa}"), ("ΑΣ\u{1f600}Α", "ας\u{1f600}α"), ("\u{10400}Σ", "\u{10428}ς"), ("中Σ", "中σ"),
    ]

    @Test(arguments: sigmas)
    func sigmaIsFinalByItsNeighboursThatAreNotIgnorable(text: String, lower: String) {
        #expect(scalars(ECMAScript.toLowerCase(text)) == scalars(lower))
    }

    @Test func theDestinationsContentDoesNotChangeTheResult() {
        var lower = Array("Α".utf8)
        withUTF8("Σ") { ECMAScript.appendLowerCase(utf8: $0, to: &lower) }
        #expect(lower == Array("Ασ".utf8))
        withUTF8("ABC") { ECMAScript.appendLowerCase(utf8: $0, to: &lower) }
        #expect(lower == Array("Ασabc".utf8))
        withUTF8("") { ECMAScript.appendLowerCase(utf8: $0, to: &lower) }
        #expect(lower == Array("Ασabc".utf8))
    }

    @Test func bytesAndTextsAgreeAndLowerCaseStaysAsItIs() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<10_000 {
            let text = random.scalars(upTo: 12)
            let lower = ECMAScript.toLowerCase(text)
            var bytes: [UInt8] = []
            withUTF8(text) { ECMAScript.appendLowerCase(utf8: $0, to: &bytes) }
            #expect(bytes == Array(lower.utf8), "\(scalars(text))")
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                #expect(ECMAScript.toLowerCase(lower) == lower)
                #expect(lower.utf8.count == text.utf8.count)
            }
        }
    }

    @Test func bytesThatAreNoTextNeitherTrapNorVanish() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                UInt8.random(in: 0x80...0xFF, using: &random)
            }
            var lower: [UInt8] = []
            bytes.withElements {
                ECMAScript.appendLowerCase(utf8: $0, to: &lower)
                _ = ECMAScript.isWhiteSpaceOnly(utf8: $0)
                _ = NumericShape.numericValue(utf8: $0)
            }
            #expect(lower.isEmpty == bytes.isEmpty, "\(bytes)")
        }
    }

    @Test func manySigmasBetweenIgnorableScalarsTakeLinearTime() {
        let text = String(repeating: "Σ" + String(repeating: "'", count: 500), count: 500)
        let lower = ECMAScript.toLowerCase(text)
        #expect(lower.unicodeScalars.count { $0 == "ς" } == 1)
    }
}
