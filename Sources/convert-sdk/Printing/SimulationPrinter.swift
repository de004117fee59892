import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// Prints a simulation for people.
struct SimulationPrinter {
    /// The maximum number of printed pairs of experiences.
    private static let mostPairs = 20
    /// The maximum number of dependent pairs whose visitors are printed as a table.
    private static let mostTables = 5
    /// The maximum width of a table in columns. A wider table has numbers as heads, and a legend below.
    private static let lineWidth = 80

    private let report: SimulationReport

    init(_ report: SimulationReport) { self.report = report }

    /// Prints the whole report, the experiences first.
    func print() {
        let seed = report.seed.map { ", generated from seed \($0)" } ?? ""
        Console.print("\(report.visitors.counted("visitor"))\(seed)")
        if let note = report.environmentNote { Console.print("no visitor is eligible: \(note)".styled(.bad)) }
        for attribute in report.unreadAttributes { Console.print(attribute.message.styled(.doubtful)) }
        if report.repeatedVisitors > 0 {
            let visitors =
                report.repeatedVisitors.counted("visitor") + (report.repeatedVisitors == 1 ? " has" : " have")
            let text = "\(visitors) the id of an earlier one, and its bucket values: "
            Console.print((text + "each counts, so that tests of the shares mislead").styled(.doubtful))
        }
        if let warning = report.ignoredStored {
            Console.print("some stored decisions are ignored, first: \(warning)".styled(.doubtful))
        }
        for experience in report.experiences { print(experience) }
        if report.experiences.contains(where: { $0.eligibleByRuleValues > 0 }) {
            Console.print()
            Console.print("* eligible only by values that the config's own rules name; --attributes gives other ones")
        }
        printPlanner()
        printPairs()
        printOverlaps()
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
        let marked = experience.eligibleByRuleValues
        let mark = marked > 0 ? ", \(marked)* of them only by values of rules" : ""
        let eligible = "\(experience.eligible) eligible (\(percent(experience.eligibleShare)))\(mark)"
        let why = experience.whyEmpty.map { ": \($0)" } ?? ""
        Console.print("\(experience.key.styled(.bold)): \(eligible), \(experience.bucketed) in a variation\(why)")
        if !experience.starvedBy.isEmpty {
            let others = experience.starvedBy.joined(separator: ", ")
            let count = experience.eligibleWithoutExclusions
            let keptOut = "all \(count) visitors who meet the other entry conditions are kept out"
            Console.print("  \("starved".styled(.bad)) by \(others): \(keptOut)")
            Console.print(
                "    that holds for this population; lint says whether any visitor can get in")
        }
        if report.seed != nil, experience.eligible == 0, experience.reasons.keys.contains(where: Self.isAboutRules) {
            Console.print("  no generated visitor meets its rules: give values with --attributes, or --visitors")
        }
        if let environment = experience.environment, experience.reasons["otherEnvironment"] != nil {
            Console.print("  runs in '\(environment)' only, not in '\(report.environment)'")
        }
        if experience.bucketed > 0 {
            let rows = experience.variations.map { variation in
                [
                    variation.name, percent(variation.bucketShare), String(format: "%.1f", variation.expected),
                    "\(variation.observed)", percent(variation.trafficShare),
                ]
            }
            Console.printTable(
                [["  VARIATION", "BUCKETS", "EXPECTED", "OBSERVED", "OF ALL TRAFFIC"]] + rows.map(indented))
            let stored = experience.variations.reduce(0) { $0 + $1.stored }
            if stored > 0 { Console.print("  \(stored) keep stored decisions, which are not expected or tested") }
            if let ratio = experience.ratio { Console.print("  \(describe(ratio))") }
        }
        for (reason, count) in experience.reasons.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
            Console.print("  \(count) \(reason) (\(percent(of: count)))")
        }
        for audience in experience.audiences {
            let matched =
                audience.matched.map { "\($0.counted("visitor")) (\(percent(of: $0)))" }
                ?? "asks for another experience"
            let ratio: ConsoleText = audience.ratio.map { "; \(describe($0))" } ?? ""
            Console.print("  audience \(audience.key): \(matched)\(ratio)")
        }
    }

    private static func isAboutRules(_ reason: String) -> Bool {
        [Decision.Reason.audienceNotMatched, .locationNotMatched].contains { $0.rawValue == reason }
    }

    private func indented(_ row: [String]) -> [String] { ["  " + (row.first ?? "")] + row.dropFirst() }

    private func printPairs() {
        guard report.pairCount > 0 else { return }
        Console.print()
        let dependent = report.pairs.filter(\.isDependent)
        Console.print("\("Independence".styled(.bold)): \(report.pairCount.counted("pair")) tested")
        if dependent.isEmpty { Console.print("  no variation depends on the variation of another experience") }
        let sorted = dependent.sorted { ($0.p, $1.chiSquare) < ($1.p, $0.chiSquare) }
        for (index, pair) in sorted.prefix(Self.mostPairs).enumerated() {
            let p = String(format: "p = %.3g", pair.p)
            let visitors = pair.both.counted("visitor")
            Console.print("  \("depend".styled(.bad)): \(pair.first) and \(pair.second), \(visitors) in both, \(p)")
            if index < Self.mostTables, let table = pair.table { print(table) }
        }
        let more = dependent.count - Self.mostPairs
        if more > 0 { Console.print("  … and \(more.counted("more dependent pair"))") }
        if dependent.count > Self.mostTables {
            Console.print("  tables of the first \(Self.mostTables) pairs are above; --json and --html have all")
        }
    }

    private func print(_ table: SimulationReport.Pair.Table) {
        let corner = "    FIRST \\ SECOND"
        let rows = zip(table.rows, table.visitors).map { ["    " + $0] + $1.map { "\($0)" } }
        let head = rows.reduce(corner.count) { max($0, $1[0].count) }
        let isWide = table.columns.reduce(head) { $0 + $1.count + 2 } > Self.lineWidth
        let columns = isWide ? table.columns.indices.map { "[\($0 + 1)]" } : table.columns
        Console.printTable([[corner] + columns] + rows)
        if isWide {
            for (column, name) in zip(columns, table.columns) { Console.print("    \(column) is \(name)") }
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
            let eligible = report.experiences.first { $0.key == exclusion.experience }?.eligibleWithoutExclusions ?? 0
            let alone = "\(exclusion.keptOutAlone) by it alone"
            Console.print(
                "    costs \(exclusion.keptOut) of \(eligible) visitors who meet the other entry conditions, \(alone)")
            if exclusion.isDecidedLater, exclusion.keepsOut, exclusion.both > 0 {
                Console.print(
                    "    \(exclusion.other) is decided later: a visitor new to both gets both".styled(.doubtful))
            }
        }
    }

    private func printOverlaps() {
        let names = report.overlaps.experiences
        guard names.count > 1 else { return }
        let rows = names.indices.flatMap { row in
            names.indices.dropFirst(row + 1).compactMap { column -> (count: Int, cells: [String])? in
                let count = report.overlaps.visitors[row][column]
                return count > 0
                    ? (count, ["  " + names[row], names[column], "\(count) (\(percent(of: count)))"]) : nil
            }
        }.sorted { $0.count > $1.count }
        guard !rows.isEmpty else { return }
        Console.print()
        Console.print("Visitors in two experiences".styled(.bold))
        Console.printTable([["  FIRST", "SECOND", "VISITORS"]] + rows.prefix(Self.mostPairs).map(\.cells))
        if rows.count > Self.mostPairs {
            let more = rows.count - Self.mostPairs
            Console.print("  … \(more.counted("more pair")) of the busiest experiences; --json and --html have them")
        }
    }

    private func printPlanner() {
        guard let planner = report.planner else { return }
        func share(_ value: Double) -> String { String(format: "%.4g %%", value * 100) }
        Console.print()
        let test =
            "baseline \(share(planner.baseline)), power \(share(planner.power)), "
            + "significance \(share(planner.significance))"
        let visitors = String(format: "%.0f", planner.visitorsPerDay)
        Console.print("\("Planner".styled(.bold)): \(test), \(visitors) new visitors a day")
        let rows = planner.experiences.map { experience in
            [
                "  " + experience.key, String(format: "%.1f", experience.visitorsPerDay),
                experience.detectableEffect.map { "+" + percent($0) } ?? "-",
                experience.detectableDifference.map { String(format: "+%.3f points", $0 * 100) } ?? "-",
                experience.days.map { String(format: "%.1f", $0) } ?? "-",
            ]
        }
        Console.printTable(
            [
                [
                    "  EXPERIENCE", "VISITORS A DAY", "EFFECT FOUND IN \(String(format: "%.0f", planner.length)) DAYS",
                    "OF THE RATE", "DAYS FOR +\(share(planner.effect))",
                ]
            ] + rows)
        Console.print(
            "  Effects are relative to the baseline; every variation is compared with the first one that has traffic.")
    }

    private func describe(_ ratio: SimulationReport.Ratio) -> ConsoleText {
        let statistic = ratio.chiSquare.map { String(format: "chi-square %.4g, ", $0) } ?? ""
        let corrected = ratio.tests > 1 ? String(format: " (%.4g for %d tests)", ratio.adjustedP, ratio.tests) : ""
        let p = String(format: "p = %.4g", ratio.p) + corrected
        let words = ratio.verdict.words
        return ratio.mismatch ? "\(statistic)\(p): \(words.styled(.bad))" : "\(statistic)\(p): \(words)"
    }

    private func percent(_ share: Double) -> String { String(format: "%.2f %%", share * 100) }

    private func percent(of count: Int) -> String { percent(Double(count) / Double(max(1, report.visitors))) }
}
