internal import ConvertECMAScript
public import ConvertSwiftSDKCore

extension ConfigDifference {
    /// The difference as one HTML document that needs no network and can be read without scripts.
    ///
    /// - Parameters:
    ///   - old: the old config, for showing its allocations.
    ///   - new: the new config, for showing its allocations and audiences.
    ///   - semantics: the semantics of both configs.
    ///   - provenance: the origin that the page shows.
    public func html(
        from old: ProjectConfig, to new: ProjectConfig, semantics: RuleSemantics,
        provenance: PageProvenance = PageProvenance()
    ) -> String {
        let changed = experiences.filter(\.changesAnswers)
        var sections = [HTMLPage.Section(id: "overview", title: "Overview", contents: overview)]
        for (index, experience) in changed.enumerated() {
            sections.append(
                .init(
                    id: "change-\(index + 1)", title: experience.key,
                    contents: experience.html(from: old, to: new, semantics, self)))
        }
        if !features.isEmpty {
            let facts = features.flatMap { feature in
                feature.facts(in: self).map { HTML("<li>\(feature.name): \($0)</li>") }
            }
            let list: HTML = facts.isEmpty ? "" : "<ul>\(HTML(facts))</ul>"
            let visitors = features.compactMap { feature in
                feature.order.flatMap { order in
                    order.visitor.map { ConfigOutline.witness("A visitor who \(order.label) of \(feature.name)", $0) }
                }
            }
            let contents = HTML([featureTable, list] + visitors)
            sections.append(.init(id: "features", title: "Features", contents: contents))
        }
        if !otherFacts.isEmpty {
            let list: HTML = "<ul>\(HTML(otherFacts.map { "<li>\($0)</li>" }))</ul>"
            sections.append(.init(id: "goals", title: "Goals and segments", contents: list))
        }
        sections += ConfigOutline(new, semantics).sections
        let summary =
            changesAnswers
            ? "Answers change in \(changed.count) of \(experiences.count) experiences; \(features.count) "
                + "feature\(features.count == 1 ? " changes" : "s change") for visitors. \(headline)"
                + (samplingNote.map { " \($0)" } ?? "")
            : "No one's answer changes."
        return HTMLPage(
            title: "Changes between two configs", summary: summary, sections: sections, provenance: provenance
        )
        .source
    }

    /// The changes of the experiences: verdicts first, then numbers.
    private var overview: HTML {
        let changed = experiences.filter(\.changesAnswers)
        let counts = visitorCount != nil
        let isUnknowable = changed.contains { $0.population?.unknowable ?? 0 > 0 }
        let table = HTMLPage.table(
            "Experiences whose answers change",
            [
                "Experience", "What became of it", "Running experiment", "Visitors let in",
                "With a stored decision: let in", "New visitors who move", "With a stored decision: move",
            ]
                + (counts ? ["Of the population"] : []) + (isUnknowable ? ["Cannot be known"] : []),
            changed.map { experience in
                [
                    .text(experience.key), .grade(experience.changeName, rank: 0, isBad: false),
                    experience.disturbance.map { .verdict($0.words, isBad: true) }
                        ?? .verdict("undisturbed", isBad: false),
                    .verdict(
                        experience.admission,
                        isBad: experience.audience != .equivalent || experience.dependence != nil),
                    .verdict(experience.storedAudience.rawValue, isBad: experience.storedAudience != .equivalent),
                    .number(
                        experience.basis.isIncomplete ? experience.movedText : HTMLPage.percent(experience.moved),
                        experience.moved),
                    .number(
                        experience.basis.isStoredIncomplete
                            ? experience.storedMovedText : HTMLPage.percent(experience.storedMoved),
                        experience.storedMoved),
                ]
                    + (counts
                        ? [.count(experience.population?.moved ?? 0)]
                        : []) + (isUnknowable ? [.count(experience.population?.unknowable ?? 0)] : [])
            })
        let others = experiences.filter { !$0.changesAnswers }.map(\.key)
        let rest: HTML =
            others.isEmpty ? "" : "<p>Experiences that answer as before: \(others.joined(separator: ", ")).</p>"
        return changed.isEmpty ? rest : HTML([table, rest])
    }

    private var featureTable: HTML {
        HTMLPage.table(
            "Features that visitors get differently", ["Feature", "What became of it", "Where", "Before", "After"],
            features.flatMap { feature -> [[HTMLPage.Cell]] in
                let head: [HTMLPage.Cell] = [
                    .text(feature.name), .grade(feature.change.rawValue, rank: 0, isBad: false),
                ]
                if feature.values.isEmpty {
                    return [head + [.text(feature.experiences.joined(separator: ", ")), .text("–"), .text("–")]]
                }
                return feature.values.map { values in
                    head + [
                        .text("\(values.experience), \(values.variation)"), .text(values.beforeText),
                        .text(values.afterText),
                    ]
                }
            })
    }
}

extension ConfigDifference.Disturbance {
    /// The disturbance in a few words.
    fileprivate var words: String {
        switch self {
        case .ended: "it ends"
        case .sampleRatio: "its sample ratio breaks"
        case .treatment: "other features or variables"
        case .population: "other visitors"
        case .assignment: "other variations"
        case .renamed: "its old key gets nothing"
        }
    }
}

extension ConfigDifference.Experience {
    fileprivate func html(
        from old: ProjectConfig, to new: ProjectConfig, _ semantics: RuleSemantics, _ difference: ConfigDifference
    ) -> HTML {
        func bar(_ experience: ProjectConfig.Experience, _ when: String) -> HTML {
            ConfigOutline.bar(of: experience, when, semantics)
        }
        var parts: [HTML] = []
        if !facts.isEmpty { parts.append("<ul>\(HTML(facts.map { "<li>\($0)</li>" }))</ul>") }
        // A version that calls do not find gives no visitor a variation.
        let before = isNew ? nil : oldID.flatMap(old.experience)
        let after = isGone ? nil : newID.flatMap(new.experience)
        // The bars are shares of the visitors who are let in.
        let isOfAll = Set([basis.admittedBefore ?? 1, basis.admittedAfter ?? 1]) == [1] && basis.environment == nil
        if moved > 0, !leavesAllNewVisitors, isOfAll, let before, let after,
            let flow = AllocationFlow(
                ConfigOutline.shares(of: before, semantics), ConfigOutline.shares(of: after, semantics), moves: moves)
        {
            parts.append("<p>Before, and after:</p>\(bar(before, " before"))\(flow.html)\(bar(after, " after"))")
        } else {
            if let before { parts.append("<p>Before:</p>\(bar(before, " before"))") }
            if let after { parts.append("<p>After:</p>\(bar(after, " after"))") }
        }
        if moved > 0 { parts.append(Self.table("New visitors of \(key) who move", moves, of: moved)) }
        if storedMoved > 0 {
            parts.append(Self.table("Visitors of \(key) with a stored decision who move", storedMoves, of: storedMoved))
        }
        parts += witnesses.map { ConfigOutline.witness("A visitor who \($0.label)", $0.visitor) }
        if audience != .equivalent || storedAudience != .equivalent {
            parts += (before?.audiences ?? []).compactMap { id in Self.tree(of: id, in: old, "before") }
            parts += (after?.audiences ?? []).compactMap { id in Self.tree(of: id, in: new, "after") }
        }
        if let unknowable = population?.unknowable, unknowable > 0 {
            let count = HTMLPage.grouped(unknowable)
            parts.append("<p>Visitors of the log whose lines withhold what decides it: \(count).</p>")
        }
        if let population, population.moved > 0, let visitorCount = difference.visitorCount {
            parts.append(
                HTMLPage.table(
                    "Visitors of the population who move in \(key): \(HTMLPage.grouped(population.moved)) of "
                        + HTMLPage.grouped(visitorCount)
                        + (difference.visitorEnvironment.map { " (\($0))" } ?? ""),
                    ["From", "Visitors", "To"],
                    population.moves.map {
                        [.text($0.from ?? "none"), .count($0.count), .text($0.to ?? "none")]
                    }))
        }
        return HTML(parts)
    }

    private static func tree(of id: EntityID, in config: ProjectConfig, _ when: String) -> HTML? {
        config.audiences.first { $0.id == id }.map { audience in
            ConfigOutline.details(
                "Audience \(audience.key ?? audience.id.text) \(when)", RuleTreeOutline(audience.rules).html)
        }
    }

    private static func table(_ caption: String, _ moves: [ConfigDifference.Move], of moved: Double) -> HTML {
        let rest = moves.shareOfOthers(in: moved).map { ConfigDifference.Move(from: "others", to: "others", share: $0) }
        return HTMLPage.table(
            caption, ["From", "Share", "To"],
            (moves + (rest.map { [$0] } ?? [])).map {
                [.text($0.from ?? "none"), .number(HTMLPage.percent($0.share), $0.share), .text($0.to ?? "none")]
            }
        )
    }
}

extension ProjectConfig {
    /// The first experience with the id.
    fileprivate func experience(id: PropertyKey) -> ProjectConfig.Experience? {
        experiences.first { $0.id.key == id }
    }
}
