extension SimulationReport.Planner {
    var html: HTML {
        let table = HTMLPage.table(
            "What experiences can show",
            [
                "Experience", "Visitors a day", "Effect found in \(HTMLPage.fixed(length)) days", "Of the rate",
                "Days for +\(HTMLPage.percent(effect))",
            ],
            experiences.map { experience in
                [
                    .text(experience.key),
                    .number(HTMLPage.fixed(experience.visitorsPerDay), experience.visitorsPerDay),
                    .optional(experience.detectableEffect) { "+" + HTMLPage.percent($0) },
                    .optional(experience.detectableDifference) { "+\(HTMLPage.fixed($0 * 100)) points" },
                    .optional(experience.days, HTMLPage.fixed),
                ]
            })
        return """
            <p>Baseline \(HTMLPage.percent(baseline)), power \(HTMLPage.percent(power)), significance \
            \(HTMLPage.percent(significance)), \(HTMLPage.fixed(visitorsPerDay)) new visitors a day. Effects are \
            relative to the baseline, and every variation is compared with the first one.</p>
            \(table)
            """
    }
}

extension SimulationReport.Overlaps {
    /// The maximum number of experiences on the page, and thus of rows and columns.
    private static let mostOnPage = 30

    var html: HTML {
        let places = experiences.indices.prefix(Self.mostOnPage)
        let table = HTMLPage.table(
            "Visitors in two experiences; a cell's tint is the part of the row's visitors",
            ["Experience"] + places.map { experiences[$0] },
            places.map { row in
                [.text(experiences[row])]
                    + places.map { column in
                        let count = visitors[row][column]
                        return .heat(
                            HTMLPage.grouped(count), Double(count), Double(count) / Double(max(1, visitors[row][row])))
                    }
            })
        let map = OverlapMap(places.map { experiences[$0] }, places.map { row in places.map { visitors[row][$0] } })
        let rest = experiences.count - places.count
        let more: HTML = rest > 0 ? "<p>\(rest) more experiences are in the JSON.</p>" : ""
        return "\(map.html)<details><summary>The same as a table</summary>\(table)</details>\(more)"
    }
}

extension HTMLPage.Cell {
    /// A number, or a dash for `nil`.
    fileprivate static func optional(_ number: Double?, _ text: (Double) -> String) -> Self {
        number.map { .number(text($0), $0) } ?? .number("–", .infinity)
    }
}
