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
        var report = LintReport([], in: config)
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
    }
}
