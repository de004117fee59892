import ConvertECMAScript
import Foundation
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
        ("uv", .conflictingFlags, 1), ("viu", .conflictingFlags, 2), ("x", .unknownFlag, 0), ("uu", .repeatedFlag, 1),
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
        let flags = #expect(throws: RegExpSyntaxError.self) { try RegExp("a", flags: "uv") }
        #expect(
            flags?.description
                == "Invalid flags supplied to RegExp constructor: flags u and v exclude each other (at code unit 1)"
        )
    }

    static let unicodeErrors: [(pattern: String, flags: String, code: Code, offset: Int)] = [
        ("a{", "u", .loneBracket, 1), ("]", "v", .loneBracket, 0), ("}", "u", .loneBracket, 0),
        ("(?=a)*", "u", .nothingToRepeat, 5), ("\\-", "u", .invalidEscape, 0), ("a\\u{110000}", "u", .invalidEscape, 1),
        ("\\u12", "u", .invalidEscape, 0), ("\\x1", "v", .invalidEscape, 0), ("\\1", "u", .invalidEscape, 0),
        ("\\00", "u", .invalidEscape, 0), ("[\\1]", "u", .invalidEscape, 1), ("\\c1", "u", .invalidEscape, 0),
        ("\\k", "u", .invalidNamedReference, 0), ("[a-\\d]", "u", .invalidClass, 1),
        ("[b-a]", "v", .rangeOutOfOrder, 1),
        ("\\p{Foo}", "u", .invalidProperty, 0), ("\\p{Script}", "u", .invalidProperty, 0),
        ("\\p", "u", .invalidProperty, 0), ("\\p{RGI_Emoji}", "u", .invalidProperty, 0),
        ("\\P{RGI_Emoji}", "v", .invalidProperty, 0), ("[^\\q{ab}]", "v", .invertedStrings, 0),
        ("x[a&&b&&&c]", "v", .invalidClass, 1), ("[a--b&&c]", "v", .invalidClass, 0),
        ("[a-z&&b]", "v", .invalidClass, 0),
        ("[(]", "v", .invalidClass, 1), ("[a!!b]", "v", .invalidClass, 2), ("[a", "v", .unterminatedClass, 0),
        ("[[a]", "v", .unterminatedClass, 0), ("\\", "u", .trailingBackslash, 0),
    ]

    @Test(arguments: unicodeErrors)
    func unicodeModeHasEarlyErrorsOfItsOwn(pattern: String, flags: String, code: Code, offset: Int) {
        let error = #expect(throws: RegExpSyntaxError.self) { try RegExp(pattern, flags: flags) }
        #expect(error?.code == code)
        #expect(error?.offset == offset)
    }

    @Test func classesNestAsDeepAsTheLimit() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + "a" + String(repeating: "]", count: depth)
        }
        #expect(try RegExp(nested(RegExpLimits.classNesting), flags: "v").test("ba"))
        let error = #expect(throws: RegExpSyntaxError.self) {
            try RegExp(nested(RegExpLimits.classNesting + 1), flags: "v")
        }
        #expect(error?.code == .nestedTooDeep)
        #expect(error?.offset == RegExpLimits.classNesting)
    }

    /// Classes, and operators between them, as deep as they may be, on threads with as little stack as they come.
    @Test(arguments: [128, 512], ["[", "[^", "[b&&", "[b--", "[a[b]"])
    func deepClassesNeedLittleStack(kilobytes: Int, opening: String) async {
        let depth = RegExpLimits.classNesting - (opening == "[a[b]" ? 1 : 0)
        let pattern = String(repeating: opening, count: depth) + "a" + String(repeating: "]", count: depth)
        let isCompiled = await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(returning: (try? RegExp(pattern, flags: "v").test("b")) != nil)
            }
            thread.stackSize = kilobytes * 1024
            thread.start()
        }
        #expect(isCompiled)
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
