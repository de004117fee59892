internal import Foundation

extension SampleRatioLogReport {
    /// The report as one HTML document that needs no network and can be read without scripts.
    ///
    /// For each experience it shows two charts by day: the difference of each variation from the allocation, and the
    /// evidence against the allocation, with the line above which it is a mismatch.
    ///
    /// - Parameter provenance: the origin that the page shows.
    public func html(provenance: PageProvenance = PageProvenance()) -> String {
        var sections = [HTMLPage.Section(id: "overview", title: "Overview", contents: overview)]
        for (index, experience) in experiences.enumerated() {
            sections.append(
                .init(id: "experience-\(index + 1)", title: experience.label, contents: experience.html))
        }
        return HTMLPage(title: "Sample ratio", summary: summary, sections: sections, provenance: provenance).source
    }

    private var summary: String {
        let broken = experiences.filter { $0.verdict == .mismatch }
        let verdict =
            isEmpty
            ? "No visitor was counted"
            : broken.isEmpty
                ? "No experience shows a mismatch"
                : "Mismatch in \(broken.count) of \(experiences.count) experiences: "
                    + broken.map(\.label).joined(separator: ", ")
        let doubtful = experiences.filter { $0.earlierAllocation == .possible }.map(\.label).joined(separator: ", ")
        let doubt = doubtful.isEmpty ? "" : ". The log does not show whether these experiences are sound: \(doubtful)"
        let read = "\(HTMLPage.counted(lines, "line")) of the log \(lines == 1 ? "was" : "were") read."
        return "\(verdict)\(doubt). \(read)"
    }

    private var overview: HTML {
        let table = HTMLPage.table(
            "Experiences",
            [
                "Experience", "Shares", "Mismatch since", "Under config", "Visitors", "p", "No variation",
                "Rate changed on",
            ],
            experiences.map { experience in
                [
                    .text(experience.label), experience.verdict.cell,
                    .text(
                        experience.brokeAt.map {
                            $0.day ?? "found after \(HTMLPage.grouped($0.line)) usable lines"
                        } ?? "–"),
                    .text(experience.brokeAt?.config ?? "–"),
                    .count(experience.whole.visitors),
                    .number(HTMLPage.probability(experience.whole.p), experience.whole.p),
                    .text(experience.undealt.percentage), .text(experience.rateChanges.first?.change.day ?? "–"),
                ]
            })
        let notes = notes.map { count, text -> HTML in "<p>\(HTMLPage.grouped(count)) \(text).</p>" }
        let memory: HTML = memoryNote.map { "<p>\($0)</p>" } ?? ""
        return HTML([experiences.isEmpty ? "<p>No visitor was assigned a variation.</p>" : table] + notes + [memory])
    }
}

extension SampleRatioVerdict {
    fileprivate var cell: HTMLPage.Cell {
        switch self {
        case .agrees: .verdict(words, isBad: false)
        case .notEnoughEvidence: .grade(words, rank: 0, isBad: false)
        case .mismatch: .verdict(words, isBad: true)
        }
    }

    fileprivate var sentence: HTML {
        switch self {
        case .agrees: #"<strong class="verdict good">As allocated</strong>"#
        case .notEnoughEvidence: #"<strong class="verdict">Not enough evidence</strong>"#
        case .mismatch: #"<strong class="verdict bad">Mismatch</strong>"#
        }
    }
}

extension SampleRatioLogReport.Experience {
    /// The maximum evidence in charts, as a power of 10. Greater values make no visible difference.
    private static let mostEvidence = 12.0
    /// The maximum number of days, configs or values in a table.
    private static let mostRows = 400

    fileprivate var html: HTML {
        let visitors = "\(HTMLPage.counted(whole.visitors, "visitor")), \(HTMLPage.statement(ofProbability: whole.p))"
        var parts: [HTML] = ["<p>\(verdict.sentence): \(visitors).\(breakSentence)</p>"]
        if days.isEmpty {
            parts.append(#"<p class="soft">The log has no times, so that there is nothing to draw by day.</p>"#)
        } else {
            parts.append(figure)
        }
        parts.append(variationTable)
        if !possiblyLostNote.isEmpty { parts.append("<p>\(possiblyLostNote.joined(separator: " "))</p>") }
        if configs.count > 1 { parts.append(table("By config", "Config", configs)) }
        if !segments.isEmpty { parts.append(table("By value of the attribute", "Value", segments)) }
        if days.count > 1 { parts.append(ConfigOutline.details("By day", table("By day", "Day", days))) }
        parts.append(rates)
        if crossoverCount > 0 { parts.append(crossoverTable) }
        return HTML(parts)
    }

    private var breakSentence: HTML {
        let note = HTML(earlierAllocationNote.map { " \($0)" as HTML })
        guard let brokeAt else { return note }
        let segment = firstBrokenVisitors.map { " It broke first for \($0)." } ?? ""
        // Visitors of other releases hide the defects of one release.
        let names = brokenConfigs.joined(separator: ", ")
        let alone = names.isEmpty || configs.count == 1 ? "" : " Visitors of \(names) alone show a mismatch."
        let parts = segmentBreaks.map { "<li>\($0.visitors): broke \($0.place.words)</li>" as HTML }
        let list: HTML = parts.isEmpty ? "" : "<ul>\(HTML(parts))</ul>"
        return " It broke \(brokeAt.words).\(segment)\(alone)\(note)\(list)"
    }

    private var variationTable: HTML {
        HTMLPage.table(
            "Variations of \(experienceKey)", ["Variation", "Allocated", "Observed", "Difference"],
            whole.variations.map { variation in
                let difference = Double(variation.observed) - variation.expected
                return [
                    .text(variation.name), .number(HTMLPage.fixed(variation.expected), variation.expected),
                    .count(variation.observed), .number(HTMLPage.signed(difference), difference),
                ]
            })
    }

    private func table(_ caption: String, _ head: String, _ groups: [SampleRatioLogReport.Group]) -> HTML {
        let table = HTMLPage.table(
            "\(caption), \(experienceKey): observed / allocated",
            [head, "Shares"] + whole.variations.map(\.name) + ["Visitors", "p"],
            groups.prefix(Self.mostRows).map { group in
                [.text(group.label), group.verdict.cell]
                    + group.variations.map {
                        .number(
                            "\(HTMLPage.grouped($0.observed)) / \(HTMLPage.fixed($0.expected))", Double($0.observed))
                    } + [.count(group.visitors), .number(HTMLPage.probability(group.p), group.p)]
            })
        let rest = groups.count - Self.mostRows
        return rest > 0 ? "\(table)<p>The JSON has \(HTMLPage.grouped(rest)) more.</p>" : table
    }

    /// The shares of visitors without a variation, and their changes.
    private var rates: HTML {
        let changes = rateChanges.map { visitors, change -> HTML in
            "<li>\(visitors): \(change.words), \(HTMLPage.statement(ofProbability: change.p))</li>"
        }
        func table(_ head: String, _ rates: [SampleRatioLogReport.Rate]) -> HTML {
            HTMLPage.table(
                "Without a variation of \(experienceKey), by \(head.lowercased())",
                [head, "Visitors", "No variation", "Rate"],
                rates.prefix(Self.mostRows).map {
                    [.text($0.label), .count($0.visitors), .count($0.undealt), .text($0.percentage)]
                })
        }
        let list: HTML = changes.isEmpty ? "" : "<p>The rate changed:</p><ul>\(HTML(changes))</ul>"
        let days: HTML = undealt.days.count > 1 ? table("Day", undealt.days) : ""
        let values: HTML = undealt.segments.isEmpty ? "" : table("Value", undealt.segments)
        let tables = HTML([days, values])
        let details =
            undealt.days.count > 1 || !undealt.segments.isEmpty
            ? ConfigOutline.details("Visitors without a variation", tables) : ""
        return """
            <p>\(undealt.percentage) of visitors have no variation, each counted once a day.</p>\(list)\(details)
            """
    }

    private var crossoverTable: HTML {
        HTMLPage.table(
            "Visitors with another variation than before: \(HTMLPage.grouped(crossoverCount)), the first of them",
            ["Visitor", "From", "To", "Config", "Day"],
            crossovers.map {
                [
                    .text($0.visitorID), .text($0.from), .text($0.to), .text("\($0.fromConfig) → \($0.toConfig)"),
                    .text($0.day ?? "–"),
                ]
            })
    }

    /// The two charts: the variations' differences from the allocation, and the evidence that these are not chance.
    private var figure: HTML {
        let names = days.map(\.name)
        let lines = deviations
        let ends = lines.map { "\($0.name) \(HTMLPage.signed($0.values.last ?? 0))" }
        let reach = max(0.5, lines.flatMap(\.values).reduce(0) { max($0, abs($1)) })
        let shares = DayPlot(
            label: "Share of \(experienceKey) so far minus what was allocated, in points, by day; at the end: "
                + ends.joined(separator: ", "),
            days: names, lines: lines,
            levels: [-reach, 0, reach].map { DayPlot.Level(value: $0, text: $0 == 0 ? "0" : HTMLPage.signed($0)) },
            range: -reach...reach,
            marks: releaseMarks + breakMarks.map { DayPlot.Mark(day: $0.day, text: "", isBad: true) })
        let evidence = days.map { min(Self.mostEvidence, -log10(max($0.pSoFar ?? 1, .leastNormalMagnitude))) }
        let bound = -log10(SampleRatioTest.threshold)
        let top = max(bound + 1, evidence.max() ?? 0)
        let course = DayPlot(
            label: "Evidence against the allocation of \(experienceKey), by day; at the end "
                + "\(HTMLPage.statement(ofProbability: days.last?.pSoFar ?? 1)), below \(SampleRatioTest.threshold) "
                + "is a mismatch",
            days: names, lines: [DayPlot.Line(name: "evidence as a power of 10", color: 5, values: evidence)],
            levels: [
                DayPlot.Level(value: 0, text: "1"), DayPlot.Level(value: bound, text: "0.001", isBound: true),
            ], range: 0...top, marks: breakMarks)
        let keys = lines.map { line -> HTML in
            """
            <li><span class="key p\(line.color % 6)"></span>\(line.name) \(HTMLPage.signed(line.values.last ?? 0))</li>
            """
        }
        let order: HTML = orderNote.map { " \($0)" } ?? ""
        return """
            <figure class="days"><figcaption>Share so far minus what the configs allocated, in points</figcaption>
            \(shares.html)
            <ul class="keys">\(HTML(keys))</ul>
            <figcaption>Evidence so far: the height shows how small p is. A curve above the line at 0.001 is a \
            mismatch.\(order)</figcaption>
            \(course.html)
            \(releaseList)</figure>
            """
    }

    /// For each variation, its difference from the allocation by the end of each day, in percentage points of the
    /// visitors so far.
    private var deviations: [DayPlot.Line] {
        whole.variations.indices.map { index in
            var (difference, visitors) = (0.0, 0)
            let values = days.map { day in
                difference += Double(day.variations[index].observed) - day.variations[index].expected
                visitors += day.visitors
                return difference / Double(max(1, visitors)) * 100
            }
            return DayPlot.Line(name: whole.variations[index].name, color: index, values: values)
        }
    }

    /// The configs that appeared after the first day, each with the letter that stands for it.
    private var releases: [(letter: String, day: Int, group: SampleRatioLogReport.Group)] {
        let places = Dictionary(days.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let dated = configs.compactMap { group in
            group.firstDay.flatMap { places[$0] }.map { (day: $0, group: group) }
        }
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return dated.sorted { $0.day < $1.day }.enumerated().map { index, found in
            (index < letters.count ? String(letters[index]) : "\(index + 1)", found.day, found.group)
        }
    }

    private var releaseMarks: [DayPlot.Mark] {
        let byDay = Dictionary(grouping: releases, by: \.day)
        return byDay.sorted { $0.key < $1.key }.map { day, releases in
            DayPlot.Mark(day: day, text: releases.map(\.letter).joined(separator: " "))
        }
    }

    private var breakMarks: [DayPlot.Mark] {
        guard let day = brokeAt?.day, let place = days.firstIndex(where: { $0.name == day }) else { return [] }
        return [DayPlot.Mark(day: place, text: "broke \(day)", isBad: true)]
    }

    private var releaseList: HTML {
        let items = releases.map { release -> HTML in
            let broke: HTML = release.group.name == brokeAt?.config ? #" <span class="bad">broke</span>"# : ""
            let day = days[release.day].name
            return "<li>\(release.letter): config <code>\(release.group.name)</code> from \(day)\(broke)</li>"
        }
        return items.isEmpty ? "" : #"<ul class="keys">\#(HTML(items))</ul>"#
    }
}

extension HTMLPage {
    /// A number with its sign and two decimals.
    static func signed(_ number: Double) -> String {
        let text = fixed(number)
        return number > 0 && text != "0.00" ? "+" + text : text
    }
}
