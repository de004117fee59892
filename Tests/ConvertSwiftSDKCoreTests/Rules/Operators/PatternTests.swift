import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

struct PatternTests {
    private static let broken = rules([leaf("a", "exists", nil), leaf("a", "regexMatches", "[")])

    /// Members of a config with a broken pattern, and where its rules stand.
    static let places: [(members: JSObject, path: String, entity: String)] = [
        (["audiences": [["id": "x", "rules": broken]]], "$.audiences[0].rules", "audience x"),
        (["locations": [["id": "y"], ["id": "x", "rules": broken]]], "$.locations[1].rules", "location x"),
        (["segments": [["id": "x", "rules": broken]]], "$.segments[0].rules", "segment x"),
        (["goals": [["id": "x", "rules": broken]]], "$.goals[0].rules", "goal x"),
        (["experiences": [experience("e", ["site_area": broken])]], "$.experiences[0].site_area", "experience id-e"),
    ]

    @Test(arguments: places) func aBrokenPatternIsReportedWithItsPlace(members: JSObject, path: String, entity: String)
        throws
    {
        let diagnostics = Project(try config(members)).diagnostics
        let diagnostic = try #require(diagnostics.last)
        #expect(diagnostic.path == path + ".OR[0].AND[0].OR_WHEN[1].value")
        #expect(
            diagnostic.message
                == "\(entity): Invalid regular expression: Unterminated character class (at code unit 0): "
                + "the leaf never "
                + "matches.")
    }

    @Test func eachBrokenPatternIsReportedAtItsOwnPlace() throws {
        let graph: JSValue = [
            "OR": [
                block([[leaf("a", "regexMatches", "a")], [leaf("a", "regexMatches", "(")]]), .null,
                block([[], [leaf("a", "regexMatches", "(", negated: true)]]),
            ]
        ]
        let project = Project(try config(["audiences": [["id": "a", "rules": graph]]]))
        let paths = project.diagnostics.filter { $0.message.contains(": Invalid") }.map(\.path)
        #expect(
            paths == [
                "$.audiences[0].rules.OR[0].AND[1].OR_WHEN[0].value",
                "$.audiences[0].rules.OR[2].AND[1].OR_WHEN[0].value",
            ])
    }

    @Test func eachDistinctPatternIsCompiledOnce() throws {
        let leaves = ["^a", "^b", "^a", "[", "caf\u{e9}", "cafe\u{301}", "[", "^A"].map {
            leaf("a", "regexMatches", .string($0))
        }
        let project = Project(
            try config([
                "audiences": [["id": "a", "rules": rules(leaves)]], "goals": [["id": "g", "rules": rules(leaves)]],
            ]))
        #expect(project.program.patterns.map(\.source) == ["^a", "^b", "caf\u{e9}", "cafe\u{301}", "^A"])
    }

    @Test(arguments: RuleSemantics.allCases)
    func theValueIsLowercasedAndThePatternIsNot(semantics: RuleSemantics) {
        #expect(holds("regexMatches", "^[a-z]+$", attribute: "ABC", semantics))
        #expect(holds("regexMatches", "^[A-Z]+$", attribute: "ABC", semantics))
        #expect(holds("regexMatches", "^\u{17f}$", attribute: "S", semantics) == false)
        #expect(holds("regexMatches", "^i$", attribute: "\u{130}", semantics) == false)
        #expect(holds("regexMatches", "^\\D$", attribute: "A", semantics))
    }

    @Test(arguments: RuleSemantics.allCases)
    func everyValueIsMatchedAsItsText(semantics: RuleSemantics) {
        #expect(holds("regexMatches", "^1e\\+21$", attribute: 1e21, semantics))
        #expect(holds("regexMatches", "^true$", attribute: true, semantics))
        #expect(holds("regexMatches", "^1,2$", attribute: [1, 2], semantics))
        #expect(holds("regexMatches", "^\\[object object\\]$", attribute: [:], semantics))
        #expect(holds("regexMatches", .null, attribute: "xnully", semantics))
        #expect(holds("regexMatches", 5, attribute: "15", semantics))
    }

    @Test(arguments: RuleSemantics.allCases)
    func textIsMatchedByCodeUnits(semantics: RuleSemantics) {
        #expect(holds("regexMatches", "^..$", attribute: "\u{1f600}", semantics))
        #expect(holds("regexMatches", "^\\ud83d", attribute: "\u{1f600}", semantics))
    }
}
