internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks audiences that ask whether the visitor is in an experience.
extension LintContext {
    /// An experience that an audience asks about, and whether its visitors are kept out.
    private typealias Target = (experience: ConfigDocument.Entity, keepsOut: Bool)

    mutating func checkExclusions() {
        let targets = checkQuestions()
        let exclusions = targets.filter(\.value.keepsOut).mapValues(\.experience.name)
        let audiences = Set(document[.audiences].compactMap(\.id))
        for entity in document[.experiences] where !document.isArchived(entity) {
            checkExclusionAmongAny(of: entity, exclusions, among: audiences)
            for (index, id) in entity.references("audiences") {
                if let target = targets[id] {
                    checkAttachment(of: target, id, to: entity, at: "\(entity.path).audiences[\(index)]")
                }
            }
        }
    }

    /// Checks the questions of audiences about experiences. Returns what each question asks, by the audience's id.
    private mutating func checkQuestions() -> [EntityID: Target] {
        let experiences = Dictionary(
            firstOf: document[.experiences].compactMap { entity in entity.key.map { (PropertyKey($0), entity) } })
        var targets: [EntityID: Target] = [:]
        for rules in allRules {
            guard let question = rules.question else { continue }
            let (audience, path) = (rules.entity, rules.path + question.path)
            checkMatching(of: question, rules, at: path)
            if rules.tree.leafCount > 1 {
                add(
                    .conditionsOverridden, at: path,
                    "bucketed_into_experience_key replaces all rules of \(audience.name): its other conditions "
                        + "are not evaluated.",
                    remedy: "Put the other conditions into an audience of their own, and require all audiences.",
                    witness: witness(overriding: rules.groups, by: question))
            }
            if let experience = experiences[question.experienceKey] {
                if let id = audience.id { targets[id] = (experience, question.keepsOut) }
            } else {
                add(unknown(question.experienceKey, at: path + ".value"))
            }
        }
        return targets
    }

    /// Checks the operator and the negation of a question. Only a negation that counts as true keeps visitors out.
    private mutating func checkMatching(of question: BucketingQuestion, _ rules: RuleSet, at path: String) {
        let steps = [("OR", question.group), ("AND", question.clause), ("OR_WHEN", question.leaf)]
        let matching = rules.value(at: steps)?.objectValue?["matching"]?.objectValue
        let effect =
            "\(rules.entity.name) \(question.keepsOut ? "keeps out" : "lets in only") the visitors of "
            + "'\(question.experienceKey.text.excerpt())'."
        let matchType = matching?["match_type"]?.stringValue ?? "equals"
        switch Operation(wireName: matchType, under: semantics) {
        case .equals, .isIn, .mobile(.equals): break
        default:
            addFrame(
                at: path + ".matching.match_type",
                "The operator '\(matchType.excerpt())' is not read in a question about an experience: \(effect)",
                "Write 'equals'; set negated to true to keep these visitors out, or to false to let in only them.")
        }
        let negated = matching?["negated"] ?? .null
        if case .bool = negated { return }
        addFrame(
            at: path + ".matching.negated",
            (negated.isNull ? "negated is missing" : "negated is \(ECMAScript.jsonText(of: negated).excerpt())")
                + ", which counts as \(question.keepsOut): \(effect)",
            "Write true to keep these visitors out, or false to let in only them.")
    }

    /// A question about an experience that does not exist.
    private mutating func unknown(_ key: PropertyKey, at path: String) -> LintFinding {
        let experiences = document[.experiences]
        if let named = experiences.first(where: { $0.id?.key == key }), let name = named.key {
            return LintFinding(
                .unknownReference, at: path,
                "'\(key.text.excerpt())' is the id of \(named.name), and audiences ask by key: it counts as "
                    + "an experience that the visitor is not in.",
                remedy: "Write its key, '\(name.excerpt())'.")
        }
        let keys = experiences.compactMap(\.key)
        let known = Set(keys.map { PropertyKey($0) })
        let parts = key.text.split { "|,;".contains($0) }.map { String($0).trimmed }
        if parts.count > 1, parts.contains(where: { known.contains(PropertyKey($0)) }) {
            return LintFinding(
                .unknownReference, at: path,
                "An audience can ask about one experience only. The list of "
                    + "\(parts.map { "'\($0.excerpt())'" }.spoken) is read as one key, and counts as an "
                    + "experience that the visitor is not in.",
                remedy: "Make an audience for each of them, and ask for all audiences in settings.matching_options.")
        }
        return unknown(
            "experience", key.text, at: path, among: keys, "it counts as one that the visitor is not in.")
    }

    /// Checks an audience that asks about another experience: the experience that it is attached to may be decided
    /// earlier, or never in the same call.
    ///
    /// - Parameter id: the audience's id.
    private mutating func checkAttachment(
        of target: Target, _ id: EntityID, to entity: ConfigDocument.Entity, at path: String
    ) {
        let (other, keepsOut) = target
        if let own = experience(of: entity), let asked = experience(of: other), own.runsApart(from: asked) {
            return add(
                .exclusionOrder, at: path,
                "\(entity.name) runs only in '\(own.environmentText.excerpt())' and asks whether the visitor is in "
                    + "\(other.name), which runs only in '\(asked.environmentText.excerpt())': no visitor is in both.",
                remedy: self.remedy(
                    removing: id, from: entity, keepsOut: keepsOut,
                    "Remove the audience, or let both run in one environment."))
        }
        let isItself = other.index == entity.index
        let message: String
        var remedy: String?
        if document.isArchived(other) {
            message =
                "\(entity.name) asks whether the visitor is in \(other.name), which is archived: no visitor enters "
                + "that any more."
        } else if isItself, keepsOut {
            message =
                "\(entity.name) keeps out its own visitors: a visitor loses the variation at the next decision, once "
                + "the first one is stored."
        } else if other.index >= entity.index {
            message =
                "\(entity.name) asks whether the visitor is in "
                + (isItself ? "itself" : "\(other.name), which is decided later")
                + ": in a new visitor's first call for all experiences, the answer is no."
            if !isItself { remedy = self.remedy(for: entity, asking: target, id) }
        } else {
            return
        }
        add(
            .exclusionOrder, at: path, message,
            remedy: remedy
                ?? self.remedy(removing: id, from: entity, keepsOut: keepsOut, "Remove the audience."),
            witness: witness(ofAskingAbout: other, in: entity, keepsOut: keepsOut))
    }

    /// Checks an exclusion that is one of several audiences, any of which lets visitors in: the other audiences let in
    /// the excluded visitors, and the exclusion lets in everyone else.
    ///
    /// - Parameters:
    ///   - exclusions: the name of the excluded experience, by the audience's id.
    ///   - audiences: the ids of all audiences. Other attached ids are segments, which are required in addition.
    private mutating func checkExclusionAmongAny(
        of entity: ConfigDocument.Entity, _ exclusions: [EntityID: String], among audiences: Set<EntityID>
    ) {
        guard !exclusions.isEmpty, experience(of: entity)?.audienceMatching == .any else { return }
        let attached = entity.references("audiences").filter { audiences.contains($0.id) }
        guard Set(attached.map(\.id)).count > 1,
            let (index, other) = attached.lazy.compactMap({ index, id in exclusions[id].map { (index, $0) } }).first
        else { return }
        add(
            .negatedAlternatives, at: "\(entity.path).audiences[\(index)]",
            "\(entity.name) keeps out the visitors of \(other), but any of its audiences lets "
                + "visitors in: the others let these visitors in, and this one lets in all other visitors.",
            remedy: remedy(requiringAllAudiencesOf: entity))
    }

    /// The suggested correction for a question about an experience that is decided later. If two experiences ask about
    /// each other, one is always decided later.
    private mutating func remedy(
        for entity: ConfigDocument.Entity, asking target: Target, _ id: EntityID
    ) -> String {
        let other = target.experience
        guard let own = experience(of: entity), let asked = experience(of: other), asks(asked, about: own) else {
            return remedy(puttingBefore: entity, other)
        }
        let reason =
            entrances.graph.questions(of: asked)[own.id.key] == nil
            ? "\(other.name) asks about \(entity.name) through others, so that no order answers all of them: "
                + "remove this audience."
            : "They ask about each other, and \(entity.name) is decided first: remove this audience from it. "
                + "\(other.name) still asks about its visitors."
        return remedy(removing: id, from: entity, keepsOut: target.keepsOut, reason)
    }

    /// Whether an experience asks about another one, directly or through others. Returns `false` once too many
    /// questions were followed.
    mutating func asks(_ experience: ProjectConfig.Experience, about other: ProjectConfig.Experience) -> Bool {
        var known: Set<PropertyKey> = [experience.id.key]
        if known.contains(other.id.key) { return false }
        var open = [experience]
        while let next = open.popLast() {
            let questions = entrances.graph.questions(of: next)
            if questions[other.id.key] != nil { return true }
            questionsLeft -= questions.count + 1
            if questionsLeft < 0 { return false }
            for question in questions where known.insert(question.id).inserted {
                if let target = entrances.graph.experience(id: question.id) { open.append(target) }
            }
        }
        return false
    }
}
