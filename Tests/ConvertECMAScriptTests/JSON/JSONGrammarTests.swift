import ConvertECMAScript
import Testing

/// The corners of ECMA-404, as JSON.parse sees them.
struct JSONGrammarTests {
    static let documents = [
        "null", "true", "false", "0", "-0", "1", "-12", "1.5", "0.0", "-0.0e-0", "1e3", "1E+3", "1e-3", "1e999",
        #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u00e9\u00E9\u0000""#, #""\ud800""#, #""\udc00\ud800""#,
        "\"\u{7f}\"", "\"\u{2028}\u{2029}\"", "\"é😀\"", "\"\u{feff}\"", #"{"\u0061":1}"#,
        "[]", "[ ]", "{}", "{ }", "[[],{}]", "[1,2]", "[ 1 , [ 2 ] ]", " 1", "\t\r\n 1 \t\r\n",
        #"{"a":1}"#, #"{ "a" : 1 , "a" : 2 }"#, #"{"":{}}"#, #"{"a":[{"b":[]}]}"#,
    ]

    @Test(arguments: documents) func thisIsADocument(text: String) {
        #expect(isDocument(text))
    }

    static let others = [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "a", "'a'", "// x\n1", "1/**/",
        "-", "+1", "01", "-01", "00", "1.", ".5", "1.e3", "1e", "1e+", "1e+-3", "0x1", "1_000", "1,5", "1 2",
        "\"", "\"a", "\"\\\"", "\"\t\"", "\"\n\"", "\"\u{0}\"", "\"\u{1f}\"", #""a"b"#,
        #""\x41""#, #""\'""#, #""\0""#, #""\u12""#, #""\u12G4""#, #""\u{61}""#, #""\u１２３４""#,
        "[", "]", "[1", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1}", "[]]", "[] x", "{}{}",
        "{", "}", "{1:2}", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1 "b":2}"#,
        #"{"a",1}"#, #"{"a":1]"#, #"{"a":1:2}"#,
        "\u{feff}1", "1\u{feff}", "\u{a0}1", "1\u{c}", "\u{b}1", "\u{2028}1", "1\u{0}",
    ]

    @Test(arguments: others) func thisIsNoDocument(text: String) {
        #expect(!isDocument(text))
    }

    static let depth = 100_000

    private func isDocument(_ text: String) -> Bool {
        var limits = JSONLimits()
        limits.depth = Self.depth
        return (try? ECMAScript.parseJSON(text, limits: limits)) != nil
    }

    @Test func deepNestingTakesNoStack() {
        let arrays = String(repeating: "[", count: Self.depth)
        let objects = String(repeating: #"{"a":"#, count: Self.depth)
        #expect(isDocument(arrays + String(repeating: "]", count: Self.depth)))
        #expect(isDocument(objects + "1" + String(repeating: "}", count: Self.depth)))
        #expect(!isDocument(arrays + String(repeating: "]", count: Self.depth - 1)))
        #expect(!isDocument(arrays + String(repeating: "]", count: Self.depth - 1) + "}"))
        #expect(!isDocument(objects))
    }

    @Test func longTextsAreReadToTheirEnds() {
        let long = String(repeating: "a", count: Self.depth)
        #expect(isDocument("\"\(long)\""))
        #expect(!isDocument("\"\(long)"))
        #expect(isDocument("[\(String(repeating: "1,", count: Self.depth))1]"))
        #expect(!isDocument("[\(String(repeating: "1,", count: Self.depth))]"))
    }
}
