extension ReplayTally {
    /// The tally as one HTML document that needs no network and can be read without scripts.
    ///
    /// - Parameter provenance: the origin that the page shows.
    public func html(provenance: PageProvenance = PageProvenance()) -> String {
        let routes = HTMLPage.table(
            "Decisions that differ", ["Experience or feature", "Logged", "Now", "Why", "Decisions"],
            sortedRoutes.map { route, count in
                [
                    .text(route.name), .text(route.logged ?? "none"), .text(route.found ?? "none"),
                    .text(route.reason), .count(count),
                ]
            })
        let others = HTMLPage.table(
            "Decisions that cannot be known", ["Experience or feature", "Decisions"],
            sortedUnknowable.map { [.text($0.subject.name), .count($0.count)] })
        let rest: HTML =
            otherRouteCount > 0
            ? #"<p class="soft">… and \#(HTMLPage.counted(otherRouteCount, "more decision"))</p>"# : ""
        let warnings = environmentWarnings.map { warning -> HTML in
            "<p>\(HTMLPage.counted(warning.lines, "line")): \(warning.text).</p>"
        }
        let contents = HTML(warnings + [routes, rest] + (unknowable.isEmpty ? [] : [others]))
        let otherLines = HTMLPage.counted(otherConfigCount, "line") + (otherConfigCount == 1 ? " names" : " name")
        let more = otherConfigCount > 0 ? " \(otherLines) another config than the one that decides them." : ""
        let summary =
            "\(HTMLPage.grouped(knownDifferenceCount)) of \(HTMLPage.grouped(decisionCount)) decisions differ; "
            + "\(HTMLPage.grouped(withheldCount + undecidableCount)) cannot be known, because the log withholds what "
            + "decided them.\(more)"
        return HTMLPage(
            title: "Replay", summary: summary,
            sections: [HTMLPage.Section(id: "overview", title: "Overview", contents: contents)], provenance: provenance
        ).source
    }
}
