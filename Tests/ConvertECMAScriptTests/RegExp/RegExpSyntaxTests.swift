import ConvertECMAScript
import Testing

struct RegExpSyntaxTests {
    typealias Code = RegExpSyntaxError.Code

    static let errors: [(pattern: String, code: Code, offset: Int)] = [
        ("a**", .nothingToRepeat, 2), ("*", .nothingToRepeat, 0), ("a|{1}", .nothingToRepeat, 2),
        ("^*", .nothingToRepeat, 1), ("\\b+", .nothingToRepeat, 2), ("(?<=a)*", .nothingToRepeat, 6),
        ("x{2}{3}", .nothingToRepeat, 4), ("a{2,1}", .quantifierOutOfOrder, 1),
        ("a{99999999999999999999,1}", .quantifierOutOfOrder, 1), ("b(a", .unterminatedGroup, 1),
        ("((a)", .unterminatedGroup, 0), ("a)", .unmatchedParenthesis, 1), ("a(?", .invalidGroup, 1),
        ("(?x:a)", .invalidGroup, 0), ("(?-:a)", .invalidGroup, 0), ("(?i-i:a)", .invalidGroup, 0),
        ("(?i)a", .invalidGroup, 0), ("(?>a)", .invalidGroup, 0), ("(?<1>a)", .invalidGroupName, 2),
        ("(?<>a)", .invalidGroupName, 2), ("(?<a", .invalidGroupName, 2), ("(?<a>)(?<a>)", .duplicateGroupName, 8),
        ("(?<a>)|((?<a>)(?<a>))", .duplicateGroupName, 16), ("(?<a>)\\k", .invalidNamedReference, 6),
        ("\\k<b>(?<a>)", .unknownGroupName, 0), ("(?<a>)[\\k]", .invalidEscape, 7), ("a[b", .unterminatedClass, 1),
        ("[ab-a]", .rangeOutOfOrder, 2), ("[\\u0062-a]", .rangeOutOfOrder, 1), ("ab\\", .trailingBackslash, 2),
        ("😀\\", .trailingBackslash, 2),
    ]

    @Test(arguments: errors)
    func errorsSayWhatAndWhere(pattern: String, code: Code, offset: Int) {
        let error = #expect(throws: RegExpSyntaxError.self) { try RegExp(pattern) }
        #expect(error?.code == code)
        #expect(error?.offset == offset)
    }

    static let flagErrors: [(flags: String, code: Code, offset: Int)] = [
        ("u", .unicodeModeUnsupported, 0), ("iv", .unicodeModeUnsupported, 1), ("x", .unknownFlag, 0),
        ("imi", .repeatedFlag, 2), ("I", .unknownFlag, 0),
    ]

    @Test(arguments: flagErrors)
    func flagsAreRefusedByName(flags: String, code: Code, offset: Int) {
        let error = #expect(throws: RegExpSyntaxError.self) { try RegExp("a", flags: flags) }
        #expect(error?.code == code)
        #expect(error?.offset == offset)
    }

    @Test func descriptionsReadLikeJavaScript() {
        let pattern = #expect(throws: RegExpSyntaxError.self) { try RegExp("a**") }
        #expect(pattern?.description == "Invalid regular expression: Nothing to repeat (at code unit 2)")
        let flags = #expect(throws: RegExpSyntaxError.self) { try RegExp("a", flags: "u") }
        #expect(
            flags?.description
                == "Invalid flags supplied to RegExp constructor: Unicode mode (u, v) is not supported (at code unit 0)"
        )
    }

    /// What Annex B lets pass.
    @Test(arguments: [
        "]", "}", "{", "a{", "a{,5}", "a{1, 2}", "\\c", "\\x4", "\\u{41}", "\\k", "\\8", "\\400", "[a-\\d]", "[\\c]",
        "(?=a)*", "(?!a){2}", "[]", "[^]", "(?<a>x)|(?<a>y)", "(?<$𝒜>a)\\k<$\\u{1d49c}>", "(?<\\ud835\\udc9c>a)",
    ])
    func accepts(pattern: String) throws {
        _ = try RegExp(pattern)
    }
}
