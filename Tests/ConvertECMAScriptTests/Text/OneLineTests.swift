import ConvertECMAScript
import Testing

struct OneLineTests {
    /// Every scalar that is not shown, by the database of characters.
    private static let hidden = (UInt32(0)...0x10ffff).compactMap(Unicode.Scalar.init).filter { scalar in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    @Test func aScalarThatIsNotShownIsEscaped() {
        #expect(Self.hidden.count > 4_000)
        for scalar in Self.hidden {
            let text = "a\(Character(scalar))b"
            #expect(text.onOneLine.unicodeScalars.allSatisfy { $0.isASCII }, "\(scalar.value)")
            #expect(text.onOneLine.onOneLine == text.onOneLine)
        }
    }

    @Test func jsonWithEscapesReadsAsTheSameValue() throws {
        let text = String(String.UnicodeScalarView(Self.hidden.filter { $0.value >= 0x20 }))
        let json = "[\"x\(text)\"]"
        #expect(json.visibleJSON.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
        let value = try ECMAScript.parseJSON(json).withRoot { $0.value }
        #expect(try ECMAScript.parseJSON(json.visibleJSON).withRoot { $0.value } == value)
        #expect("{\n  \"a\" : 1\n}".visibleJSON == "{\n  \"a\" : 1\n}")
    }

    @Test(arguments: [
        "plain", "été 日本 עברית العربية", "👩‍👩‍👧 ❤️ 🏳️‍🌈 1️⃣ #️⃣", "می‌خواهم", "क्‍ष", "e\u{301}", "葛\u{e0100}",
    ])
    func whatEmojiAndScriptsNeedStays(text: String) { #expect(text.onOneLine == text) }

    @Test(arguments: [
        ("\u{200d}a", #"\u{200D}a"#), ("plan\u{200c}x", #"plan\u{200C}x"#), ("👩\u{200d}", #"👩\u{200D}"#),
        ("\u{fe0f}", #"\u{FE0F}"#), ("a\u{fe0f}", #"a\u{FE0F}"#), ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}" + #"\u{FE0F}"#),
        ("a\tb\r\nc", #"a\tb\r\nc"#), ("\u{202e}x", #"\u{202E}x"#), ("🏴\u{e0067}", #"🏴\u{000E0067}"#),
    ])
    func joinersAndSelectorsThatChangeNothingAreEscaped(text: String, line: String) { #expect(text.onOneLine == line) }
}
