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
        let more: HTML =
            otherRouteCount > 0
            ? #"<p class="soft">… and \#(HTMLPage.grouped(otherRouteCount)) more decisions</p>"# : ""
        let warnings = environmentWarnings.map { warning -> HTML in
            "<p>\(HTMLPage.grouped(warning.lines)) lines: \(warning.text).</p>"
        }
        let contents = HTML(warnings + [routes, more] + (unknowable.isEmpty ? [] : [others]))
        let summary =
            "\(HTMLPage.grouped(knownDifferenceCount)) of \(HTMLPage.grouped(decisionCount)) decisions differ; "
            + "\(withheldCount + undecidableCount) cannot be known, because the log withholds what decided them."
            + (otherConfigCount > 0
                ? " \(HTMLPage.grouped(otherConfigCount)) lines name another config than the one that decides them."
                : "")
        return HTMLPage(
            title: "Replay", summary: summary,
            sections: [HTMLPage.Section(id: "overview", title: "Overview", contents: contents)], provenance: provenance
        ).source
    }
}
