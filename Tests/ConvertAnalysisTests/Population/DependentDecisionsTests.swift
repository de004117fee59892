import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

@testable import ConvertAnalysis

struct DependentDecisionsTests {
    private func isDependent(ids: [JSValue], excluding: Bool = false) throws -> Bool {
        let leaf: JSValue = [
            "rule_type": "bucketed_into_experience_key", "value": "a",
            "matching": ["match_type": "equals", "negated": false],
        ]
        let audience: JSValue = ["id": "x", "rules": ["OR": [["AND": [["OR_WHEN": [leaf]]]]]]]
        let config = try ProjectConfig([
            "account_id": "1", "project": ["id": "2"], "audiences": .array(excluding ? [audience] : []),
            "experiences": .array(ids.map { ["id": $0, "key": $0] }),
        ])
        return config.hasDependentDecisions
    }

    @Test func decisionsDependOnEachOtherWhereIDsAreShared() throws {
        #expect(try isDependent(ids: ["a", "a"]))
        #expect(try !isDependent(ids: ["a", "b"]))
    }

    @Test func decisionsDependOnEachOtherWhereAnAudienceExcludes() throws {
        #expect(try isDependent(ids: ["a", "b"], excluding: true))
    }
}
