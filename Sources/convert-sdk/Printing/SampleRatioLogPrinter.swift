import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// Prints the test of a decision log for people.
struct SampleRatioLogPrinter {
    /// The maximum number of days, configs or segments that are printed for an experience.
    private static let mostRows = 60

    private let report: SampleRatioLogReport

    init(_ report: SampleRatioLogReport) { self.report = report }

    /// Prints the whole report, the experiences first.
    func print() {
        for experience in report.experiences {
            print(experience)
            Console.print()
        }
        Console.print("\(report.lines.counted("line"))")
        for (count, text) in report.notes { Console.print("\(count) \(text)") }
        if let note = report.memoryNote { Console.print("\(note)") }
    }

    private func print(_ experience: SampleRatioLogReport.Experience) {
        let p = String(format: "p = %.4g", experience.whole.p)
        let visitors = "\(experience.whole.visitors.counted("visitor")), \(p)"
        Console.print("\(experience.label.styled(.bold)): \(visitors): \(styled(experience.verdict))")
        Console.printTable(
            [["  VARIATION", "EXPECTED", "OBSERVED", "DIFFERENCE"]]
                + experience.whole.variations.map { variation in
                    [
                        "  " + variation.name, String(format: "%.1f", variation.expected), "\(variation.observed)",
                        String(format: "%+.1f", Double(variation.observed) - variation.expected),
                    ]
                })
        for sentence in experience.earlierAllocationNote + experience.possiblyLostNote {
            Console.print("  \(sentence)")
        }
        if let place = experience.brokeAt {
            Console.print("  broke \(place.words)")
        }
        if experience.configs.count > 1, !experience.brokenConfigs.isEmpty {
            Console.print(
                "  visitors of config \(experience.brokenConfigs.joined(separator: ", ")) alone show a mismatch")
        }
        if let visitors = experience.firstBrokenVisitors {
            Console.print("  broke first for \(visitors)")
        }
        for (visitors, place) in experience.segmentBreaks.prefix(Self.mostRows) {
            Console.print("  \(visitors): broke \(place.words)")
        }
        if experience.configs.count > 1 { print("CONFIG", experience.configs) }
        if experience.days.count > 1 { print("DAY", experience.days) }
        if let note = experience.orderNote { Console.print("  \(note)") }
        if !experience.segments.isEmpty { print("VALUE", experience.segments) }
        print(experience.undealt)
        for (visitors, change) in experience.rateChanges.prefix(Self.mostRows) {
            Console.print(
                "  without a variation: \(visitors): \(change.words) (\(String(format: "p = %.3g", change.p)))")
        }
        if experience.crossoverCount > 0 {
            Console.print("  \(experience.crossoverCount.counted("time")) a visitor got another variation than before:")
            for visitor in experience.crossovers {
                let configs = "config \(visitor.fromConfig) → \(visitor.toConfig)"
                let day = visitor.day.map { ", \($0)" } ?? ""
                Console.print("    \(visitor.visitorID): \(visitor.from) → \(visitor.to), \(configs)\(day)")
            }
        }
    }

    private func print(_ rate: SampleRatioLogReport.Rate) {
        let days = rate.days.count > 1 ? [("DAY", rate.days)] : []
        for (title, rates) in days + [("VALUE", rate.segments)] where !rates.isEmpty {
            let rows = rates.prefix(Self.mostRows).map { rate in
                ["  " + rate.label, "\(rate.visitors)", "\(rate.undealt)", rate.percentage]
            }
            Console.printTable([["  " + title, "VISITORS", "NO VARIATION", "RATE"]] + rows)
        }
    }

    private func print(_ title: String, _ groups: [SampleRatioLogReport.Group]) {
        let rows = groups.prefix(Self.mostRows).map { group in
            let counts = group.variations.map { "\($0.observed)/" + String(format: "%.1f", $0.expected) }
            return [
                "  " + group.label, "\(group.visitors)", String(format: "%.3g", group.p), group.verdict.words,
                counts.joined(separator: " "),
            ]
        }
        Console.printTable([["  " + title, "VISITORS", "P", "VERDICT", "OBSERVED/EXPECTED"]] + rows)
        if groups.count > Self.mostRows {
            Console.print("  … \(groups.count - Self.mostRows) more; --json has them all")
        }
    }

    private func styled(_ verdict: SampleRatioVerdict) -> ConsoleText {
        switch verdict {
        case .agrees: verdict.words.styled(.good)
        case .notEnoughEvidence: verdict.words.styled(.doubtful)
        case .mismatch: verdict.words.styled(.bad)
        }
    }
}
