@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// What the page of a lint says first.
struct LintOverviewTests {
    private static let config: JSObject = {
        var members = Configs.config([
            "audiences": [Configs.audience("7", Configs.all(Configs.leaf("p", "regexMatches", "(bad[")))],
            "experiences": [
                .object(Configs.experience("checkout", id: "10", ["audiences": ["7"], "name": "New <checkout>"]))
            ],
        ])
        members["surplus_member"] = 1
        return members
    }()

    private static func findings() throws -> [LintFinding] { try ConfigLint().findings(in: Configs.data(config)) }

    private static func page() throws -> String {
        LintReport(try findings(), in: try ProjectConfig(json: Configs.data(config)), semantics: .standard).html
    }

    private static func overview() throws -> Substring {
        let page = try page()
        let start = try #require(page.range(of: #"<section id="overview""#))
        let end = try #require(page.range(of: "</section>", range: start.upperBound..<page.endIndex))
        return page[start.upperBound..<end.lowerBound]
    }

    @Test func aFindingBehindAnUnreadableExperienceLinksItsOwn() throws {
        var config = Self.config
        config["experiences"] = .array([5] + (config["experiences"]?.arrayValue ?? []))
        let data = Configs.data(config)
        let page = LintReport(
            try ConfigLint().findings(in: data), in: try ProjectConfig(json: data), semantics: .standard
        ).html
        #expect(page.contains(##"<a href="#experience-0"><code>$.experiences[1]</code></a>"##))
    }

    @Test func experiencesComeBeforeWhatTheyAreMadeOf() throws {
        let entries = LintOverview(try Self.findings()).entries
        #expect(
            entries.prefix(2).map(\.title) == [
                "Experience “checkout” can never be entered by a new visitor",
                "Audience “audience-7” has a pattern that cannot be read",
            ])
        #expect(entries.map(\.severity) == entries.map(\.severity).sorted())
    }

    @Test func aConsequenceNamesItsCauseInWords() throws {
        let entry = try #require(LintOverview(try Self.findings()).entries.first)
        #expect(entry.kinds.first?.cause == "Audience “audience-7” has a pattern that cannot be read")
        #expect(try Self.overview().contains("Cause: Audience “audience-7” has a pattern that cannot be read."))
    }

    @Test func theOverviewHasNamesAndNoPaths() throws {
        let overview = try Self.overview()
        #expect(overview.contains("New &lt;checkout&gt;"))
        #expect(!overview.contains("$.") && !overview.contains("invalid-pattern"))
    }

    @Test func findingsAboutTheWholeConfigHaveNoEntity() throws {
        let entry = LintOverview(try Self.findings()).entries.first { $0.subject == nil }
        #expect(entry?.title == "The config has a member that is not read")
    }

    @Test func detailsHaveThePath() throws {
        #expect(try Self.page().contains("<code>$.audiences[0].rules.OR[0].AND[0].OR_WHEN[0].value</code>"))
    }

    @Test func findingsOfOneKindStandTogether() throws {
        let leaves = (0..<5).map { Configs.leaf("p\($0)", "regexMatches", "(bad[") }
        let data = Configs.data(Configs.audienceConfig(Configs.rules([leaves.map { [$0] }])))
        let findings = try ConfigLint().findings(in: data)
        let kinds = LintOverview(findings).entries.flatMap(\.kinds).filter { $0.code == .invalidPattern }
        #expect(kinds.map(\.places.count) == [5])
        #expect(
            LintReport(findings, in: try ProjectConfig(json: data), semantics: .standard).html.contains(
                "And 2 more of this kind."))
    }
}
