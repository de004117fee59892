internal import ConvertECMAScript
public import ConvertSwiftSDKCore

extension ConfigDifference {
    /// The difference as one HTML document that needs no network, and no script to be read.
    ///
    /// - Parameters:
    ///   - old: the old config, whose allocations are shown.
    ///   - new: the new config, whose allocations and audiences are shown.
    ///   - provenance: what the page says of its origin.
    public func html(
        from old: ProjectConfig, to new: ProjectConfig, provenance: PageProvenance = PageProvenance()
    ) -> String {
        let changed = experiences.filter(\.changesAnswers)
        var sections = [HTMLPage.Section(id: "overview", title: "Overview", contents: overview)]
        for (index, experience) in changed.enumerated() {
            sections.append(
                .init(
                    id: "change-\(index + 1)", title: experience.key,
                    contents: experience.html(from: old, to: new, visitorCount)))
        }
        if !features.isEmpty { sections.append(.init(id: "features", title: "Features", contents: featureTable)) }
        sections += ConfigOutline(new).sections
        let summary =
            changesAnswers
            ? "Answers change in \(changed.count) of \(experiences.count) experiences; features carried otherwise: \(features.count)."
            : "No one's answer changes."
        return HTMLPage(
            title: "Changes between two configs", summary: summary, sections: sections, provenance: provenance
        )
        .source
    }

    private var overview: HTML {
        let counts = visitorCount != nil
        return HTMLPage.table(
            "Experiences",
            [
                "Experience", "New visitors who move", "Stored visitors who move", "What became of it",
                "Whom it lets in", "Whom of the stored",
            ]
                + (counts ? ["Of the population"] : []),
            experiences.map { experience in
                [
                    .text(experience.key), .number(HTMLPage.percent(experience.moved), experience.moved),
                    .number(HTMLPage.percent(experience.storedMoved), experience.storedMoved),
                    .text(experience.change == .none ? "unchanged" : experience.change.rawValue),
                    .verdict(experience.audience.rawValue, isBad: experience.audience != .equivalent),
                    .verdict(experience.storedAudience.rawValue, isBad: experience.storedAudience != .equivalent),
                ]
                    + (counts
                        ? [.count(experience.population?.moved ?? 0)]
                        : [])
            })
    }

    private var featureTable: HTML {
        HTMLPage.table(
            "Features that are carried otherwise", ["Feature", "What became of it", "In experiences"],
            features.map { [.text($0.key), .text($0.change.rawValue), .text($0.experiences.joined(separator: ", "))] })
    }
}

extension ConfigDifference.Experience {
    fileprivate func html(from old: ProjectConfig, to new: ProjectConfig, _ visitorCount: Int?) -> HTML {
        var parts: [HTML] = []
        if let oldKey { parts.append("<p>Its key was <code>\(oldKey)</code>.</p>") }
        if let environments {
            let names = environments.map { $0.isEmpty ? "any" : $0 }
            parts.append("<p>Environment: \(names.joined(separator: " → ")).</p>")
        }
        let (before, after) = (old.experience(oldKey ?? key), new.experience(key))
        if moved > 0, let before, let after,
            let flow = AllocationFlow(ConfigOutline.shares(of: before), ConfigOutline.shares(of: after), moves: moves)
        {
            let (upper, lower) = (ConfigOutline.bar(of: before, " before"), ConfigOutline.bar(of: after, " after"))
            parts.append("<p>Before, and after:</p>\(upper)\(flow.html)\(lower)")
        } else {
            if let before { parts.append("<p>Before:</p>\(ConfigOutline.bar(of: before, " before"))") }
            if let after { parts.append("<p>After:</p>\(ConfigOutline.bar(of: after, " after"))") }
        }
        if moved > 0 { parts.append(Self.table("New visitors of \(key) who move", moves)) }
        if storedMoved > 0 {
            parts.append(Self.table("Visitors of \(key) with a stored decision who move", storedMoves))
        }
        if audience != .equivalent { parts.append("<p>Whom it lets in: \(audience.rawValue).</p>") }
        if storedAudience != audience {
            parts.append("<p>Whom of those with a stored decision it lets in: \(storedAudience.rawValue).</p>")
        }
        if !reordered.isEmpty {
            let others = reordered.joined(separator: ", ")
            parts.append("<p>Decided on the other side of \(others), which its audiences ask about.</p>")
        }
        if let enters { parts.append(ConfigOutline.witness("A visitor who enters", enters)) }
        if let leaves { parts.append(ConfigOutline.witness("A visitor who leaves", leaves)) }
        if storedAudience != audience {
            if let storedEnters {
                parts.append(ConfigOutline.witness("A visitor with a stored decision who enters", storedEnters))
            }
            if let storedLeaves {
                parts.append(ConfigOutline.witness("A visitor with a stored decision who leaves", storedLeaves))
            }
        }
        if audience != .equivalent || storedAudience != .equivalent {
            parts += (before?.audiences ?? []).compactMap { id in Self.tree(of: id, in: old, "before") }
            parts += (after?.audiences ?? []).compactMap { id in Self.tree(of: id, in: new, "after") }
        }
        if let population, population.moved > 0, let visitorCount {
            parts.append(
                HTMLPage.table(
                    "Visitors of the population who move in \(key): \(HTMLPage.grouped(population.moved)) of \(HTMLPage.grouped(visitorCount))",
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

    private static func table(_ caption: String, _ moves: [ConfigDifference.Move]) -> HTML {
        HTMLPage.table(
            caption, ["From", "Share", "To"],
            moves.map {
                [.text($0.from ?? "none"), .number(HTMLPage.percent($0.share), $0.share), .text($0.to ?? "none")]
            }
        )
    }
}

extension ProjectConfig {
    /// The first experience with the key.
    fileprivate func experience(_ key: String) -> Experience? {
        let wanted = PropertyKey(key)
        return experiences.first { $0.entityKey.lookUp == wanted }
    }
}
