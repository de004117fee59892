import ConvertAnalysis
import Foundation

/// Prints a simulation for people.
struct SimulationPrinter {
    private let report: SimulationReport

    init(_ report: SimulationReport) { self.report = report }

    /// Prints everything, the experiences first.
    func print() {
        let seed = report.seed.map { ", generated from seed \($0)" } ?? ""
        Console.print("\(report.visitors) visitors\(seed)")
        for experience in report.experiences { print(experience) }
        printPairs()
        printExclusions()
        let counts = report.experiencesPerVisitor.enumerated().filter { $0.element > 0 }
        Console.print()
        Console.print("Experiences per visitor".styled(.bold))
        Console.printTable(
            [["EXPERIENCES", "VISITORS"]]
                + counts.map { ["\($0.offset)", "\($0.element) (\(percent(of: $0.element)))"] })
    }

    private func print(_ experience: SimulationReport.Experience) {
        Console.print()
        let eligible = "\(experience.eligible) eligible (\(percent(experience.eligibleShare)))"
        Console.print("\(experience.key.styled(.bold)): \(eligible), \(experience.bucketed) in a variation")
        if experience.bucketed > 0 {
            let rows = experience.variations.map { variation in
                [
                    variation.name, percent(variation.bucketShare), String(format: "%.1f", variation.expected),
                    "\(variation.observed)", percent(variation.trafficShare),
                ]
            }
            Console.printTable(
                [["  VARIATION", "BUCKETS", "EXPECTED", "OBSERVED", "OF ALL TRAFFIC"]] + rows.map(indented))
            if let ratio = experience.ratio { Console.print("  \(describe(ratio))") }
        }
        for (reason, count) in experience.reasons.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
            Console.print("  \(count) \(reason) (\(percent(of: count)))")
        }
        for audience in experience.audiences {
            let matched =
                audience.matched.map { "\($0) visitors (\(percent(of: $0)))" } ?? "asks for another experience"
            let ratio: ConsoleText = audience.ratio.map { "; \(describe($0))" } ?? ""
            Console.print("  audience \(audience.key): \(matched)\(ratio)")
        }
    }

    private func indented(_ row: [String]) -> [String] { ["  " + (row.first ?? "")] + row.dropFirst() }

    private func printPairs() {
        guard report.pairCount > 0 else { return }
        Console.print()
        let dependent = report.pairs.filter(\.isDependent)
        Console.print("\("Independence".styled(.bold)): \(report.pairCount) pairs tested")
        if dependent.isEmpty { Console.print("  no experience depends on another one") }
        for pair in dependent {
            let p = String(format: "p = %.3g", pair.p)
            Console.print(
                "  \("depend".styled(.bad)): \(pair.first) and \(pair.second), \(pair.both) visitors in both, \(p)")
        }
    }

    private func printExclusions() {
        guard !report.exclusions.isEmpty else { return }
        Console.print()
        Console.print("Exclusions".styled(.bold))
        for exclusion in report.exclusions {
            let act = exclusion.keepsOut ? "keeps out visitors of" : "lets in only visitors of"
            let counts = "\(exclusion.both) in both, \(exclusion.otherOnly) in \(exclusion.other) alone"
            Console.print(
                "  \(exclusion.experience): audience \(exclusion.audience) \(act) \(exclusion.other); \(counts)")
            if exclusion.isDecidedLater, exclusion.keepsOut, exclusion.both > 0 {
                Console.print(
                    "    \(exclusion.other) is decided later: who is new to both gets both".styled(.doubtful))
            }
        }
    }

    private func describe(_ ratio: SimulationReport.Ratio) -> ConsoleText {
        let statistic = ratio.chiSquare.map { String(format: "chi-square %.4g, ", $0) } ?? ""
        let p = String(format: "p = %.4g", ratio.p)
        return ratio.mismatch ? "\(statistic)\(p): \("mismatch".styled(.bad))" : "\(statistic)\(p): as allocated"
    }

    private func percent(_ share: Double) -> String { String(format: "%.2f %%", share * 100) }

    private func percent(of count: Int) -> String { percent(Double(count) / Double(max(1, report.visitors))) }
}
