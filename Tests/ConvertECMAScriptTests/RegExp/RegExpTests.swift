import ConvertECMAScript
import Testing

struct RegExpTests {
    @Test func matchTellsRangesNamesAndTexts() throws {
        let match = try #require(
            try RegExp("(?<year>\\d+)-(?:(?<rest>q)|(\\d+))", flags: "i").exec("😀 2024-05!"))
        #expect(match.range == 3..<10)
        #expect(match.groupCount == 3)
        #expect(match.groupNames == ["year", "rest"])
        #expect(match.range(of: "year") == 3..<7)
        #expect(match["year"] == "2024")
        #expect(match["rest"] == nil)
        #expect(match[3] == "05")
        #expect(match.range(of: 4) == nil)
        #expect(match.range(of: -1) == nil)
        #expect(match["month"] == nil)
        let indices = try #require(match.indices(of: 1))
        #expect(match.input[indices] == "2024")
    }

    @Test func halfAPairHasARangeButNoText() throws {
        let match = try #require(try RegExp("(.)$").exec("a😀"))
        #expect(match.range(of: 1) == 2..<3)
        #expect(match[1] == "\u{fffd}")
    }

    @Test func theGroupThatTookPartBearsASharedName() throws {
        let expression = try RegExp("(?<n>a)|(?<n>b)")
        #expect(try expression.exec("b")?["n"] == "b")
        #expect(try expression.exec("b")?.groupNames == ["n"])
    }

    /// Without `lastIndex` every call starts at 0: `g` finds the first match again, `y` matches there or not at all.
    @Test func flagsWithoutState() throws {
        let global = try RegExp("a", flags: "g")
        #expect(try global.exec("ba")?.range == 1..<2)
        #expect(try global.exec("ba")?.range == 1..<2)
        let sticky = try RegExp("a|ba", flags: "y")
        #expect(try sticky.exec("ba")?.range == 0..<2)
        #expect(try !sticky.test("xa"))
        #expect(try !RegExp("x*a", flags: "y").test("ba"))
        #expect(try RegExp("(?=a)", flags: "y").test("ab"))
    }

    static let sources: [(pattern: String, source: String)] = [
        ("", "(?:)"), ("/", "\\/"), ("a/b", "a\\/b"), ("[/]", "[/]"), ("\\/", "\\/"), ("\n", "\\n"), ("\\\n", "\\n"),
        ("[\n]", "[\\n]"), ("\\[/", "\\[\\/"), ("[\\]/]", "[\\]/]"), ("a\r\u{2028}\u{2029}", "a\\r\\u2028\\u2029"),
    ]

    @Test(arguments: sources)
    func sourceStandsBetweenSlashes(pattern: String, source: String) throws {
        #expect(try RegExp(pattern).source == source)
    }

    @Test func flagsAreSorted() throws {
        #expect(try RegExp("a", flags: "ysmigd").flags == "dgimsy")
    }

    @Test func planNamesTheExecutor() throws {
        #expect(try RegExp("a+b").plan.executor == .automaton)
        #expect(try RegExp("(a)\\1").plan.description == "backtracker: the pattern has a back reference")
        #expect(
            try RegExp("(?!a)b").plan.description
                == "automaton: the pattern has no back references; 1 lookaround is decided in one pass")
        #expect(
            try RegExp("(?=(a))b(?=c)\\1").plan.description == "backtracker: the pattern has a back reference")
        #expect(try RegExp("a{1000000000}").plan.executor == .backtracker)
    }

    @Test func bytesAnswerAsTextDoes() throws {
        let expression = try RegExp("^\\w+é$", flags: "i")
        for text in ["cafÉ", "cafe", "é", ""] {
            let bytes = Array(text.utf8)
            #expect(try bytes.withElements { try expression.test(utf8: $0) } == expression.test(text))
        }
    }

    /// A literal is searched in words of eight bytes; here it stands at every place of one, and across their borders.
    @Test(arguments: 0..<40)
    func literalsAreFoundAtEveryOffset(offset: Int) throws {
        let expression = try RegExp("needle", flags: "i")
        let padding = String(repeating: "n", count: offset)
        #expect(try expression.exec(padding + "NeedLe" + padding)?.range == offset..<offset + 6)
        #expect(try expression.test(padding + "needle"))
        #expect(try !expression.test(padding + "needl-" + padding + "-eedle"))
        #expect(try expression.test("é" + padding + "needle"))
        #expect(try !RegExp("ée", flags: "i").test(padding + "é" + padding + "fe"))
        #expect(try RegExp("éa", flags: "i").test(padding + "Éa"))
    }

    @Test func manyThreadsShareAPattern() async throws {
        let expressions = [
            try RegExp("(a|b)*[ab]{6}c", flags: "i"), try RegExp("(?=a+b)(a+)\\1b"), try RegExp("(?<=é)(b|a)+"),
        ]
        let inputs = (0..<60).map { String(repeating: "a", count: $0) + ["c", "b", "éab"][$0 % 3] }
        let answers = { @Sendable in
            try inputs.map { input in
                try expressions.map { expression in
                    let match = try expression.exec(input)
                    return [try expression.test(input) ? 0..<1 : nil, match?.range, match?.range(of: 1)]
                }
            }
        }
        let expected = try answers()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 { group.addTask { try answers() == expected } }
            for try await agrees in group { #expect(agrees) }
        }
    }
}
