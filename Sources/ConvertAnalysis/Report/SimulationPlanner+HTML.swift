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
            relative to the baseline, and every variation is compared with the first one that has traffic.</p>
            \(table)
            """
    }
}

extension HTMLPage.Cell {
    /// A number, or a dash for `nil`.
    fileprivate static func optional(_ number: Double?, _ text: (Double) -> String) -> Self {
        number.map { .number(text($0), $0) } ?? .number("–", .infinity)
    }
}
