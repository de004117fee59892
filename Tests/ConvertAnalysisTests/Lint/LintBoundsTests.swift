import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Configs of a size that nobody writes end in time, and what was not asked is said.
struct LintBoundsTests {
    /// Letter by letter each of them compared with each would take minutes.
    @Test func thousandsOfUnknownReferencesAreBounded() throws {
        let audiences = (0..<3_000).map { JSValue.object(["id": .string("audience-\($0)"), "key": .string("k\($0)")]) }
        let references = (0..<3_000).map { JSValue.string("audiense-\($0)") }
        let config = Configs.config([
            "audiences": .array(audiences),
            "experiences": [.object(Configs.experience("checkout", id: "10", ["audiences": .array(references)]))],
        ])
        let findings = try ConfigLint().findings(in: Configs.data(config))
        let unknown = findings.filter { $0.code == .unknownReference }
        #expect(unknown.count > 500 && findings.contains { $0.code == .moreFindings })
        #expect(unknown.first?.remedy.hasPrefix("Did you mean 'audience-0'?") == true)
        #expect(unknown.last?.remedy.hasPrefix("Name one") == true)
    }

    /// Whether a group adds anybody is asked of all groups before it.
    @Test func manyGroupsAreBounded() throws {
        let groups = (0..<1_000).map { [[Configs.leaf("plan", "equals", .string("p\($0)"))]] }
        var limits = AnalysisLimits()
        limits.transitions = 100_000
        let config = Configs.data(Configs.audienceConfig(Configs.rules(groups)))
        let findings = try ConfigLint(limits: limits).findings(in: config)
        #expect(findings.map(\.code) == [.undecided] && findings.first?.path == "$.experiences[0]")
    }
}
