@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// What all pages have.
struct PagesTests {
    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")])
    func thousandsAreApart(number: Int, text: String) {
        #expect(HTMLPage.grouped(number) == text)
        #expect(HTMLPage.fixed(Double(number)) == text + ".00")
        #expect(HTMLPage.fixed(-Double(number)) == (number == 0 ? "" : "-") + text + ".00")
    }

    @Test func aColumnOfNumbersHasItsHeadAboveThem() {
        let table = HTMLPage.table("Counts", ["Name", "Number"], [[.text("a"), .count(1)]])
        #expect(table.source.contains(#"<th scope="col">Name</th>"#))
        #expect(table.source.contains(#"<th scope="col" class="number">Number</th>"#))
    }

    @Test func aPageSaysWhereItComesFrom() throws {
        let config = try PopulationAssignmentTests.config("configs/demo-shop.json")
        var provenance = PageProvenance()
        #expect(!PopulationSimulation(config).generate(50, seed: 1).html(for: config).contains("<dl"))
        provenance.configs = ["b99668ab"]
        provenance.project = "<shop>"
        provenance.environment = "staging"
        provenance.semantics = .flat
        provenance.tool = "convert-sdk 1"
        let page = PopulationSimulation(config).generate(50, seed: 1).html(for: config, provenance: provenance)
        for text in ["<dd>b99668ab</dd>", "<dd>&lt;shop&gt;</dd>", "<dd>flat</dd>", "<dd>convert-sdk 1</dd>"] {
            #expect(page.contains(text))
        }
        var report = LintReport([], in: config, semantics: .standard)
        provenance.configs = ["1", "2"]
        report.provenance = provenance
        #expect(report.html.contains("<dt>Configs</dt><dd>1 → 2</dd>"))
    }

    @Test func bandsGoFromWhereVisitorsWereToWhereTheyAre() throws {
        let before = [(name: "a", share: 0.5), (name: "b", share: 0.5)]
        let after = [(name: "a", share: 0.25), (name: "b", share: 0.5)]
        let flow = try #require(
            AllocationFlow(before, after, moves: [ConfigDifference.Move(from: "a", to: nil, share: 0.25)]))
        let paths = flow.html.source.components(separatedBy: "<path ").dropFirst()
        #expect(paths.count == 3)
        // Half of a stays, the other half goes to the end, where no visitor gets a variation; b moves up.
        #expect(
            paths.contains { $0.contains(#"d="M0.00 0C0.00 20 0.00 20 0.00 40L25.00 40C25.00 20 25.00 20 25.00 0Z""#) })
        #expect(paths.contains { $0.contains(#"d="M25.00 0C25.00 20 75.00 20 75.00 40L100.00 40"#) })
        #expect(paths.contains { $0.contains(#"d="M50.00 0C50.00 20 25.00 20 25.00 40L75.00 40"#) })
        #expect(AllocationFlow(before, after, moves: [.init(from: "gone", to: nil, share: 0.25)]) == nil)
    }

    @Test func overlapsAreTinted() throws {
        let config = try PopulationAssignmentTests.config("configs/demo-shop.json")
        let page = PopulationSimulation(config).generate(2_000, seed: 1).html(for: config)
        #expect(page.contains(#"class="number heat" style="--heat:60.00%" data-value=""#))
        #expect(page.contains(#"<figure class="heatmap""#) && page.contains(#"<g role="img" aria-label=""#))
    }

    @Test func theCellsOfAWideTableAreBehindTheNamesOfTheirColumnsOnAPhone() {
        let wide = HTMLPage.table(
            "Wide", ["Name", "Verdict", "A", "B"],
            [[.text("x"), .verdict("mismatch", isBad: true), .count(1), .count(2)]])
        #expect(wide.source.contains(#"<div class="scroll stack""#))
        #expect(wide.source.contains(#"<td class="verdict bad" data-label="Verdict" data-value="1">mismatch</td>"#))
        let narrow = HTMLPage.table("Narrow", ["Name", "Number"], [[.text("x"), .count(1)]])
        #expect(!narrow.source.contains("stack") && !narrow.source.contains("data-label"))
    }

    @Test func archivedIsNotTheSameAsOutOfReach() throws {
        var config = Configs.audienceConfig(Configs.all(Configs.leaf("p", "regexMatches", "(bad[")))
        config["experiences"] = [
            .object(Configs.experience("gone", id: "11")),
            .object(Configs.experience("elsewhere", id: "12", ["environment": "production"])),
            .object(Configs.experience("closed", id: "13", ["audiences": ["5"]])),
            .object(Configs.experience("stopped", id: "14", ["variations": [.object(Configs.variation("1", "a", 0))]])),
        ]
        config["archived_experiences"] = ["11"]
        let model = try ProjectConfig(json: Configs.data(config))
        let report = PopulationSimulation(model, environment: "staging").generate(20, seed: 1)
        #expect(
            report.experiences.map(\.whyEmpty) == [
                "archived", "not in this environment", "no visitor is eligible", "no eligible visitor gets a variation",
            ])
        let page = report.html(for: model)
        #expect(page.contains(#"data-label="Shares" data-value="2">archived</td>"#))
        let lint = LintReport([], in: model, semantics: .standard).html
        #expect(lint.contains("<h3>gone (archived)</h3>") && lint.contains("<h3>elsewhere (only in production)</h3>"))
        #expect(lint.contains("<h3>closed</h3>"))
    }

    @Test func anUnreadableArchiveArchivesEveryExperience() throws {
        let config = Configs.config(["archived_experiences": "301"])
        let page = LintReport([], in: try ProjectConfig(json: Configs.data(config)), semantics: .standard).html
        #expect(page.contains("<h3>checkout (archived)</h3>"))
    }

    @Test func theSectionOfASeverityHasItsHeadingAsID() throws {
        let config = Configs.audienceConfig(Configs.all(Configs.leaf("plan", "equals", " pro ")))
        let findings = try ConfigLint().findings(in: Configs.data(config))
        #expect(findings.map(\.severity) == [.suspicious])
        let report = LintReport(findings, in: try ProjectConfig(json: Configs.data(config)), semantics: .standard)
        #expect(report.html.contains(#"<section id="suspicious" "#))
    }

    @Test func thePageOfADifferenceSaysWhatBecomesOfRunningExperiments() throws {
        let old = Configs.config()
        var new = old
        new["archived_experiences"] = ["10"]
        let (before, after) = (Configs.data(old), Configs.data(new))
        let difference = try ConfigDiff().difference(from: before, to: after)
        let page = difference.html(
            from: try ProjectConfig(json: before), to: try ProjectConfig(json: after), semantics: .standard)
        #expect(page.contains("1 running experiment is disturbed. Ended: checkout."))
        #expect(page.contains(#"<td class="verdict" data-label="What became of it" data-value="0">archived</td>"#))
        #expect(page.contains(#"data-label="Running experiment" data-value="1">it ends</td>"#))
        #expect(page.contains("<h3>checkout (archived)</h3>"))
    }
}
