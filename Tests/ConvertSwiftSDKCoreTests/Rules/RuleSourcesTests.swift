import ConvertECMAScript
@testable import ConvertSwiftSDKCore
import Testing

struct RuleSourcesTests {
    private static let trees: [JSValue] = [
        rules([leaf("a", "equals", "1"), .null, leaf("b", "less", 2)]), [:],
        ["OR": [["AND": [["OR_WHEN": [leaf("c", "isIn", "x|y")]], .null]], .null, ["AND": []]]],
        rules([leaf("d", "exists", .null)]),
    ]

    @Test func everyConditionIsTheOneThatTheAdapterMakes() {
        let adapter = RuleAdapter()
        var compiler = RuleProgramBuilder(semantics: .standard)
        var diagnostics: [ConfigDiagnostic] = []
        var expected: [RuleCondition] = []
        for tree in Self.trees.map(RuleTree.init) {
            _ = compiler.compile(tree, flattenedBy: adapter, path: "$", diagnostics: &diagnostics)
            let groups = adapter.flatten(tree)
            _ = compiler.compile(groups)
            for _ in 0..<2 { expected += groups.flatMap(\.conditions) }
        }
        let program = RuleProgram(compiler)
        #expect(program.tables.pointee.conditions.count == expected.count)
        #expect(expected.indices.map { program.sources[$0] } == expected)
    }

    @Test func aTreeCompilesAsItsGroupsDo() {
        for tree in Self.trees.map(RuleTree.init) {
            var fromTree = RuleProgramBuilder(semantics: .standard)
            var fromGroups = RuleProgramBuilder(semantics: .standard)
            var diagnostics: [ConfigDiagnostic] = []
            let rules = fromTree.compile(tree, flattenedBy: RuleAdapter(), path: "$", diagnostics: &diagnostics)
            #expect(rules.groups == fromGroups.compile(RuleAdapter().flatten(tree)).groups)
            #expect(fromTree.clauseEnds == fromGroups.clauseEnds)
            #expect(fromTree.groupEnds == fromGroups.groupEnds)
            #expect(fromTree.conditions == fromGroups.conditions)
            #expect(fromTree.comparisons.map(\.identity) == fromGroups.comparisons.map(\.identity))
        }
    }
}
