import Testing

@testable import ConvertSwiftSDK

struct StandardErrorLoggerTests {
    @Test func quotedTextCannotForgeALineOrControlATerminal() {
        let hostile = "a\r\nconvert: error: b\u{1b}[2J\u{0}\t\u{7f}\u{85}\u{9b}m\u{2028}c\u{2029}\u{202e}"
        #expect(
            StandardErrorLogger.line(.warn, hostile)
                == #"convert: warn: a\r\nconvert: error: "#
                + #"b\u{1B}[2J\0\t\u{7F}\u{0085}\u{009B}m\u{2028}c\u{2029}\u{202E}"#
                + "\n")
    }

    @Test func otherTextIsWrittenAsItIs() {
        let text = "visitors été 日本 👩‍👩‍👧 \u{301} 'x'"
        #expect(StandardErrorLogger.line(.error, text) == "convert: error: \(text)\n")
    }
}
