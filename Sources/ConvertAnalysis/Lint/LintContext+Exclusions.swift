internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Audiences that ask whether the visitor is in an experience.
extension LintContext {
    mutating func checkExclusions() {
        let experiences = document[.experiences]
        let places = Dictionary(
            firstOf: experiences.enumerated().compactMap { place, entity in
                entity.key.map { (PropertyKey($0), place) }
            })
        var targets: [EntityID: (place: Int, keepsOut: Bool)] = [:]
        for audience in document[.audiences] {
            guard let tree = audience.rules(), let question = tree.bucketingQuestion else { continue }
            let path = audience.path + ".rules" + question.path
            if tree.leafCount > 1 {
                add(
                    .conditionsOverridden, at: path,
                    "bucketed_into_experience_key stands for all rules of \(audience.name): its other conditions "
                        + "are not looked at.",
                    remedy: "Put the other conditions into an audience of their own, and require all audiences.",
                    witness: witness(
                        overriding: RuleAdapter(semantics: semantics).flatten(tree), by: question))
            }
            guard let place = places[question.experienceKey] else {
                if let named = experiences.first(where: { $0.id?.key == question.experienceKey }), let key = named.key {
                    add(
                        .unknownReference, at: path + ".value",
                        "'\(question.experienceKey.text.excerpt())' is the id of \(named.name), and audiences ask "
                            + "by key: it counts as an experience that the visitor is not in.",
                        remedy: "Write its key, '\(key.excerpt())'.")
                    continue
                }
                var finding = unknown(
                    "experience", question.experienceKey.text, at: path + ".value",
                    among: experiences.compactMap(\.key), "it counts as one that the visitor is not in.")
                let parts = question.experienceKey.text.split { "|,;".contains($0) }.map { String($0).trimmed }
                if parts.count > 1, parts.contains(where: { places[PropertyKey($0)] != nil }) {
                    finding = LintFinding(
                        .unknownReference, at: finding.path,
                        "An audience asks about one experience, and \(parts.map { "'\($0.excerpt())'" }.listed) are "
                            + "several: they count as one that the visitor is not in.",
                        remedy: "Make an audience for each of them, and ask for all audiences in "
                            + "settings.matching_options.")
                }
                add(finding)
                continue
            }
            if let id = audience.id { targets[id] = (place, question.keepsOut) }
        }
        let exclusions = targets.filter(\.value.keepsOut).mapValues { experiences[$0.place].name }
        let audiences = Set(document[.audiences].compactMap(\.id))
        for (place, experience) in experiences.enumerated() where !document.isArchived(experience) {
            checkExclusionAmongAny(of: experience, exclusions, among: audiences)
            for (index, id) in experience.references("audiences") {
                guard let (target, keepsOut) = targets[id] else { continue }
                let other = experiences[target]
                let isLate = target >= place || document.isArchived(other)
                let witness =
                    isLate ? witness(ofAskingAbout: other, in: experience, keepsOut: keepsOut) : nil
                let path = "\(experience.path).audiences[\(index)]"
                if let own = model(of: experience), let asked = model(of: other), own.runsApart(from: asked) {
                    add(
                        .exclusionOrder, at: path,
                        "\(experience.name) runs only in '\(own.environmentText.excerpt())' and asks whether the "
                            + "visitor is in \(other.name), which runs only in '\(asked.environmentText.excerpt())': "
                            + "no visitor is in both.",
                        remedy: "Remove the audience, or let both run in one environment.")
                } else if document.isArchived(other) {
                    add(
                        .exclusionOrder, at: path,
                        "\(experience.name) asks whether the visitor is in \(other.name), which is archived: "
                            + "no visitor enters that any more.",
                        remedy: "Remove the audience.", witness: witness)
                } else if target == place, keepsOut {
                    add(
                        .exclusionOrder, at: path,
                        "\(experience.name) keeps out its own visitors: a visitor loses the variation at the "
                            + "next decision, once the first one is stored.",
                        remedy: "Remove the audience.", witness: witness)
                } else if target >= place {
                    let what = target == place ? "itself" : "\(other.name), which is decided later"
                    add(
                        .exclusionOrder, at: path,
                        "\(experience.name) asks whether the visitor is in \(what): at the first decision of all "
                            + "experiences no visitor is.",
                        remedy: remedy(for: experience, asking: other, isItself: target == place),
                        witness: witness)
                }
            }
        }
    }

    /// An exclusion beside other audiences of which any lets visitors in: the others let in those whom it should keep
    /// out, and it lets in everyone else.
    ///
    /// - Parameters:
    ///   - exclusions: for the id of an audience the name of the experience that it excludes.
    ///   - audiences: the ids of all audiences: the others are segments, which are required besides.
    private mutating func checkExclusionAmongAny(
        of experience: ConfigDocument.Entity, _ exclusions: [EntityID: String], among audiences: Set<EntityID>
    ) {
        guard !exclusions.isEmpty, model(of: experience)?.audienceMatching == .any else { return }
        let attached = experience.references("audiences").filter { audiences.contains($0.id) }
        guard Set(attached.map(\.id)).count > 1,
            let (index, other) = attached.lazy.compactMap({ index, id in exclusions[id].map { (index, $0) } }).first
        else { return }
        add(
            .negatedAlternatives, at: "\(experience.path).audiences[\(index)]",
            "\(experience.name) keeps out the visitors of \(other), but any of its audiences lets "
                + "visitors in: the others let these visitors in, and this one lets in all other visitors.",
            remedy: "Ask for all audiences in settings.matching_options.")
    }

    /// What to do about a question about an experience that is decided later. Of two that ask about each other one is
    /// always decided later.
    private mutating func remedy(
        for experience: ConfigDocument.Entity, asking other: ConfigDocument.Entity, isItself: Bool
    ) -> String {
        if isItself { return "Remove the audience." }
        guard let own = model(of: experience), let target = model(of: other), asks(target, about: own) else {
            return "Put \(other.name) before \(experience.name)."
        }
        if entrances.questions(of: target)[own.id.key] == nil {
            return "\(other.name) asks about \(experience.name) through others, so that no order answers all of them: "
                + "remove this audience."
        }
        return "They ask about each other, and \(experience.name) is decided first: remove this audience from it. "
            + "\(other.name) still asks about its visitors."
    }

    /// Whether an experience asks about another one, directly or through others; once too many questions were followed
    /// it is taken not to.
    mutating func asks(_ experience: ProjectConfig.Experience, about other: ProjectConfig.Experience) -> Bool {
        var known: Set<PropertyKey> = [experience.id.key]
        if known.contains(other.id.key) { return false }
        var open = [experience]
        while let next = open.popLast() {
            let questions = entrances.questions(of: next)
            if questions[other.id.key] != nil { return true }
            questionsLeft -= questions.count + 1
            if questionsLeft < 0 { return false }
            for question in questions where known.insert(question.id).inserted {
                if let target = entrances.experience(id: question.id) { open.append(target) }
            }
        }
        return false
    }
}
