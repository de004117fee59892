import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

/// Equal conditions share a comparison; conditions that only look alike do not.
struct SharedComparisonTests {
    private func comparisons(_ leaves: [JSValue]) -> Int {
        var compiler = RuleCompiler(semantics: .standard)
        var diagnostics: [ConfigDiagnostic] = []
        _ = compiler.compile(RuleAdapter().flatten(RuleTree(rules(leaves))), diagnostics: &diagnostics)
        return compiler.comparisons.count
    }

    static let alike: [[JSValue]] = [
        [leaf("a", "equals", "x"), leaf("a", "matches", "x"), leaf("a", "equals", "x", negated: true)],
        [leaf("a", "less", 5), leaf("a", "less", "5"), leaf("a", "less", 5.0)],
        [leaf("a", "isIn", "x|Y"), leaf("a", "isIn", ["y", "X"]), leaf("a", "isIn", "x|y|x")],
        [leaf("a", "contains", "X"), leaf("a", "contains", "x")],
        [leaf("a", "not_exists", nil), leaf("a", "doesNotExist", "x")],
        [leaf("a", "regexMatches", "^x"), leaf("a", "regexMatches", "^x", negated: true)],
    ]

    @Test(arguments: alike) func equalConditionsAreComparedOnce(leaves: [JSValue]) {
        #expect(comparisons(leaves) == 1)
    }

    static let different: [[JSValue]] = [
        [leaf("a", "equals", "x"), leaf("b", "equals", "x")], [leaf("a", "equals", 5), leaf("a", "equals", "5")],
        [leaf("a", "equals", "x"), leaf("a", "equals", "X")], [leaf("a", "less", 5), leaf("a", "lessEqual", 5)],
        [leaf("a", "less", .null), leaf("a", "less", [])], [leaf("a", "startsWith", "x"), leaf("a", "endsWith", "x")],
        [leaf("a", "regexMatches", "x"), leaf("a", "regexMatches", "X")],
        [leaf("a", "less", true), leaf("a", "less", false)],
        [leaf("a", "equals", [["toString": 1]]), leaf("a", "equals", ["toString": 1])],
    ]

    @Test(arguments: different) func similarConditionsAreComparedSeparately(leaves: [JSValue]) {
        #expect(comparisons(leaves) == leaves.count)
    }

    @Test func aListSeesTheSpellingThatTextDoesNot() throws {
        let graph: JSValue = [
            "OR": [block([[leaf("a", "equals", "US")], [leaf("a", "equals", "us", negated: true)]])]
        ]
        #expect(try verdict(graph, ["a": ["US"]], .standard) == .matched)
        #expect(try verdict(graph, ["a": ["us"]], .standard) == .notMatched)
        #expect(try verdict(graph, ["a": "US"], .standard) == .notMatched)
    }

    @Test(arguments: [62, 63, 64, 65, 200]) func aListMayBeOfAnyLength(count: Int) throws {
        // Beyond 63 texts of a slot a list is no longer a set of bits.
        let list = JSValue.array((0..<count).map { .string("t\($0)") })
        let short = leaf("a", "isIn", .string("t0|t\(count - 1)"))
        for index in [0, 1, count - 2, count - 1, count] {
            let value = JSValue.string("t\(index)")
            #expect(try verdict(rules([leaf("a", "isIn", list)]), ["a": value], .standard).isMatch == (index < count))
            let isInShort = index == 0 || index == count - 1
            let both: JSValue = ["OR": [block([[leaf("a", "isIn", list)], [short]])]]
            #expect(try verdict(both, ["a": value], .standard).isMatch == isInShort, "\(index)")
            #expect(try verdict(both, ["a": .string("x|t\(index)|y")], .standard).isMatch == isInShort, "\(index)")
        }
    }

    @Test func comparisonsBeyondTheCacheAreMadeEachTime() {
        for count in [Attributes.keptTruths, Attributes.keptTruths + 1] {
            let conditions = (0..<count).map { RuleCondition(key: "a", matchType: "less", value: .integer(-$0)) }
            let last = RuleCondition(key: "a", matchType: "less", value: .integer(1 - count), negation: true)
            let groups = [RuleGroup(clauses: [conditions, [last], [last]])]
            #expect(SingleRuleSet(groups).verdict(on: ["a": .integer(-5)]) == .matched)
            #expect(SingleRuleSet(groups).verdict(on: ["a": .integer(-count)]) == .notMatched)
        }
    }
}
