import ConvertECMAScript
import Testing

struct JSONSyntaxErrorTests {
    struct Place: Equatable {
        var code: JSONSyntaxError.Code
        var offset: Int
        var line = 1
        var column: Int
    }

    static let places: [(text: String, place: Place)] = [
        ("", Place(code: .endsEarly, offset: 0, column: 1)),
        ("[1,", Place(code: .endsEarly, offset: 3, column: 4)),
        ("\"a\\", Place(code: .endsEarly, offset: 3, column: 4)),
        ("\"a\\u00", Place(code: .endsEarly, offset: 6, column: 7)),
        ("1.", Place(code: .endsEarly, offset: 2, column: 3)),
        ("[1,]", Place(code: .unexpected, offset: 3, column: 4)),
        ("[01]", Place(code: .unexpected, offset: 2, column: 3)),
        ("{\"a\" 1}", Place(code: .unexpected, offset: 5, column: 6)),
        ("{\n  \"é\": tru\n}", Place(code: .unexpected, offset: 13, line: 2, column: 11)),
        ("[tru", Place(code: .endsEarly, offset: 4, column: 5)),
        ("[nulx]", Place(code: .unexpected, offset: 4, column: 5)),
        ("[\"\\n\\n\",\n\"\t\"]", Place(code: .unexpected, offset: 10, line: 2, column: 2)),
        ("\u{feff}[}", Place(code: .unexpected, offset: 4, column: 2)),
        ("[] []", Place(code: .unexpected, offset: 3, column: 4)),
        ("[\u{0}]", Place(code: .unexpected, offset: 1, column: 2)),
    ]

    @Test(arguments: places) func anErrorNamesItsPlace(text: String, place: Place) throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try Array(text.utf8).withElements { try ECMAScript.parseJSON($0) }
        }
        #expect(Place(code: error.code, offset: error.offset, line: error.line, column: error.column) == place)
    }

    static let expectations = [
        ("", "a value"), ("[", "a value"), ("[1", "',' or ']'"), ("{", "a member's name in double quotes or '}'"),
        (#"{"a":1,}"#, "a member's name in double quotes"), (#"{"a"}"#, "':'"), (#"{"a":1]"#, "',' or '}'"),
        ("1 2", "the end of the document"), ("-", "a digit"), ("00", "no digit after a leading zero"),
        (#""\u12x4""#, "four hexadecimal digits"), (#""\x""#, #"one of " \ / b f n r t u after '\'"#), ("\"", "'\"'"),
        ("\"\n\"", "an escape instead of a control character"),
    ]

    @Test(arguments: expectations) func anErrorSaysWhatWasExpected(text: String, expected: String) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try ECMAScript.parseJSON(text) }
        #expect(error.expected == expected)
        #expect(error.description == "line 1, column \(error.column): expected \(expected).")
    }

    /// What Unicode's table of well-formed sequences leaves out: a trailing byte alone, spellings that are too long,
    /// surrogates, what is beyond U+10FFFF, and sequences that stop.
    static let malformed: [[UInt8]] = [
        [0x80], [0xc0, 0xaf], [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xf0, 0x8f, 0xbf, 0xbf],
        [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xc3], [0xe1, 0x80], [0xf1, 0x80, 0x80],
        [0xc3, 0x28], [0xe1, 0x80, 0x28], [0xf1, 0x80, 0x80, 0x28],
    ]

    @Test(arguments: malformed) func bytesThatAreNotUTF8AreRefused(bytes: [UInt8]) throws {
        for name in [false, true] {
            let document = Array("[{\"ab".utf8) + (name ? [] : Array("\":\"".utf8)) + bytes + Array("\":1}]".utf8)
            let error = try #require(throws: JSONSyntaxError.self) {
                try document.withElements { try ECMAScript.parseJSON($0) }
            }
            #expect(error.code == .notUTF8)
            #expect(error.offset == (name ? 5 : 8))
        }
    }
}
