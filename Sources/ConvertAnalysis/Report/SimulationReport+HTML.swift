internal import ConvertECMAScript
public import ConvertSwiftSDKCore

extension SimulationReport {
    /// The report as one HTML document that needs no network and can be read without scripts.
    ///
    /// - Parameters:
    ///   - config: the simulated config, for showing its audiences.
    ///   - provenance: the origin that the page shows.
    public func html(for config: ProjectConfig, provenance: PageProvenance = PageProvenance()) -> String {
        let seed = seed.map { ", generated from seed \($0)" } ?? ""
        var sections = [HTMLPage.Section(id: "overview", title: "Overview", contents: overview)]
        for (index, experience) in experiences.enumerated() {
            sections.append(
                HTMLPage.Section(
                    id: "experience-\(index + 1)", title: experience.key,
                    contents: experience.html(visitors: visitors, config)))
        }
        if let planner { sections.append(.init(id: "planner", title: "Planner", contents: planner.html)) }
        if pairCount > 0 { sections.append(.init(id: "independence", title: "Independence", contents: independence)) }
        if overlaps.experiences.count > 1 {
            sections.append(.init(id: "overlaps", title: "Overlaps", contents: overlaps.html))
        }
        if !exclusions.isEmpty {
            sections.append(.init(id: "exclusions", title: "Exclusions", contents: exclusionTable))
        }
        sections.append(.init(id: "traffic", title: "Experiences per visitor", contents: traffic))
        return HTMLPage(
            title: "Simulation", summary: "\(HTMLPage.counted(visitors, "visitor"))\(seed).", sections: sections,
            provenance: provenance
        ).source
    }

    private var overview: HTML {
        HTML([notes, experienceTable, marks])
    }

    /// Notes about conditions that keep every visitor out, and about attributes that no rule reads.
    private var notes: HTML {
        HTML(
            (environmentNote.map { [#"<p class="bad">No visitor is eligible: \#($0).</p>"#] } ?? [])
                + unreadAttributes.map { "<p>\($0.message)</p>" })
    }

    private var marks: HTML {
        guard experiences.contains(where: { $0.eligibleByRuleValues > 0 }) else { return "" }
        return """
            <p class="soft">* Some of these visitors, or all, are eligible only by values that the config's own rules \
            name.</p>
            """
    }

    private var experienceTable: HTML {
        HTMLPage.table(
            "Experiences", ["Experience", "Shares", "Eligible", "Eligible share", "In a variation", "Corrected p"],
            experiences.map { experience in
                [
                    .text(experience.key), experience.verdict,
                    .number(
                        "\(HTMLPage.grouped(experience.eligible))\(experience.eligibleByRuleValues > 0 ? "*" : "")",
                        Double(experience.eligible)),
                    .number(HTMLPage.percent(experience.eligibleShare), experience.eligibleShare),
                    .count(experience.bucketed), experience.ratio.probability,
                ]
            })
    }

    private var independence: HTML {
        let table = HTMLPage.table(
            "Pairs of experiences, the most dependent first",
            ["First", "Second", "Verdict", "Visitors in both", "Chi-square", "p"],
            pairs.map { pair in
                [
                    .text(pair.first), .text(pair.second),
                    .verdict(pair.isDependent ? "dependent" : "independent", isBad: pair.isDependent),
                    .count(pair.both), .number(HTMLPage.fixed(pair.chiSquare), pair.chiSquare),
                    .number(HTMLPage.probability(pair.p), pair.p),
                ]
            })
        let tables = pairs.compactMap { pair in
            pair.table.map { table in
                HTMLPage.table(
                    "Variations of \(pair.first), and across them those of \(pair.second)",
                    [pair.first] + table.columns,
                    zip(table.rows, table.visitors).map {
                        [HTMLPage.Cell.text($0)] + $1.map { HTMLPage.Cell.count($0) }
                    })
            }
        }
        return "<p>\(HTMLPage.counted(pairCount, "pair")) tested.</p>\(table)\(HTML(tables))"
    }

    private var exclusionTable: HTML {
        HTMLPage.table(
            "Audiences that ask for other experiences",
            [
                "Experience", "Audience", "Rule", "Other experience", "In both", "In the other alone", "Costs",
                "By it alone", "Order",
            ],
            exclusions.map { exclusion in
                let isOdd = exclusion.isDecidedLater && exclusion.keepsOut && exclusion.both > 0
                return [
                    .text(exclusion.experience), .text(exclusion.audience),
                    .text(exclusion.keepsOut ? "keeps out" : "lets in only"), .text(exclusion.other),
                    .count(exclusion.both), .count(exclusion.otherOnly), .count(exclusion.keptOut),
                    .count(exclusion.keptOutAlone),
                    .verdict(
                        exclusion.isDecidedLater ? "the other one is decided later" : "the other one is decided first",
                        isBad: isOdd),
                ]
            })
    }

    private var traffic: HTML {
        HTMLPage.table(
            "Visitors by the number of experiences that they have a variation in",
            ["Experiences", "Visitors", "Share"],
            experiencesPerVisitor.enumerated().filter { $0.element > 0 }.map { count, visitors in
                let share = Double(visitors) / Double(max(1, self.visitors))
                return [
                    .count(count), .count(visitors),
                    .number(HTMLPage.percent(share), share),
                ]
            })
    }
}

extension SimulationReport.Experience {
    /// The experiences that keep every visitor out of another one.
    private var starved: HTML {
        if starvedBy.isEmpty { return "" }
        let others = starvedBy.joined(separator: ", ")
        return """
            <p class="bad">Starved by \(others): all \(HTMLPage.grouped(eligibleWithoutExclusions)) visitors who \
            meet the other entry conditions are kept out. That holds for this population; <code>lint</code> says \
            whether any visitor can get in.</p>
            """
    }

    /// The verdict on the variations' shares, or the reason why no visitor gets a variation.
    fileprivate var verdict: HTMLPage.Cell {
        if let ratio {
            return ratio.verdict == .notEnoughEvidence
                ? .grade(ratio.verdict.words, rank: 0, isBad: false)
                : .verdict(ratio.verdict.words, isBad: ratio.mismatch)
        }
        return .grade(whyEmpty ?? "no visitors", rank: 2, isBad: !starvedBy.isEmpty)
    }

    fileprivate func html(visitors: Int, _ config: ProjectConfig) -> HTML {
        let bar = HTMLPage.bar(
            "Shares of the bucket values in \(key)", variations.map { ($0.name, $0.bucketShare) })
        let table = HTMLPage.table(
            "Variations of \(key)", ["Variation", "Bucket share", "Expected", "Observed", "Of all traffic"],
            variations.map { variation in
                [
                    .text(variation.name), .number(HTMLPage.percent(variation.bucketShare), variation.bucketShare),
                    .number(HTMLPage.fixed(variation.expected), variation.expected),
                    .count(variation.observed),
                    .number(HTMLPage.percent(variation.trafficShare), variation.trafficShare),
                ]
            })
        let none = HTMLPage.table(
            "Visitors without a variation of \(key)", ["Reason", "Visitors"],
            reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                [.text($0.key), .count($0.value)]
            })
        let trees = HTML(
            audiences.map { audience in
                let matched =
                    audience.matched.map { "\(HTMLPage.grouped($0)) of \(HTMLPage.grouped(visitors)) visitors" }
                    ?? "asks for another experience"
                let tree = RuleTreeOutline(config.audiences.first { $0.id.text == audience.id }?.rules).html
                let ratio = audience.ratio.map { ", \(HTMLPage.statement(ofProbability: $0.adjustedP))" } ?? ""
                return ConfigOutline.details("Audience \(audience.key): \(matched)\(ratio)", tree)
            })
        return HTML([starved, bar, table, reasons.isEmpty ? "" : none, trees])
    }
}

extension SimulationReport.Ratio? {
    fileprivate var probability: HTMLPage.Cell {
        map { .number(HTMLPage.probability($0.adjustedP), $0.adjustedP) } ?? .number("–", 2)
    }
}
