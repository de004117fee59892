import ConvertECMAScript
import Testing

@testable import ConvertSwiftSDKCore

struct RuleCompilerTests {
    private static let trees: [JSValue] = [
        rules([leaf("a", "equals", "1"), .null, leaf("b", "less", 2)]), [:],
        ["OR": [["AND": [["OR_WHEN": [leaf("c", "isIn", "x|y")]], .null]], .null, ["AND": []]]],
        rules([leaf("d", "exists", .null)]), rules([], [leaf("a", "almost", "1", negated: true)]),
    ]

    @Test(arguments: RuleSemantics.allCases) func everyConditionStaysAsTheAdapterMadeIt(semantics: RuleSemantics) {
        var compiler = RuleCompiler(semantics: semantics)
        var diagnostics: [ConfigDiagnostic] = []
        var expected: [RuleCondition] = []
        for tree in Self.trees + Self.trees {
            let groups = RuleAdapter(semantics: semantics).flatten(RuleTree(tree))
            let compiled = compiler.compile(groups, diagnostics: &diagnostics)
            #expect(compiled.conditions.start == expected.count)
            expected += groups.flatMap(\.clauses).flatMap(\.self)
            #expect(compiled.conditions.indices.upperBound == expected.count)
        }
        let program = RuleProgram(compiler)
        #expect(program.conditions.count == expected.count)
        #expect(program.originals == expected)
        #expect(expected.contains { $0.defect == .null } && expected.contains { $0.defect == nil })
    }

    @Test func aLeafThatIsSharedIsComparedOnce() {
        let tree = RuleTree(rules([leaf("a", "equals", ["x"])]))
        var compiler = RuleCompiler(semantics: .standard)
        var diagnostics: [ConfigDiagnostic] = []
        for tree in [tree, tree] {
            _ = compiler.compile(RuleAdapter().flatten(tree), diagnostics: &diagnostics)
        }
        let (conditions, comparisons) = (compiler.conditions, compiler.comparisons)
        #expect(conditions.count == 2 && comparisons.count == 1)
        #expect(conditions[0] == conditions[1])
    }

    @Test func anInvalidPatternIsReportedWhereverItStands() {
        let invalid = leaf("a", "regexMatches", "(")
        let tree: JSValue = [
            "OR": [block([[leaf("b", "exists", nil)]]), block([[], [leaf("c", "exists", nil), invalid]])]
        ]
        var compiler = RuleCompiler(semantics: .standard)
        var diagnostics: [ConfigDiagnostic] = []
        for _ in 0..<2 { _ = compiler.compile(RuleAdapter().flatten(RuleTree(tree)), diagnostics: &diagnostics) }
        #expect(diagnostics.map(\.path) == Array(repeating: ".OR[1].AND[1].OR_WHEN[1].value", count: 2))
    }
}
