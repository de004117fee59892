internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Remedies that change which experiences exclude each other's visitors. Each is tried before it is suggested, because
/// an experience that excludes the visitors of another one gets no visitor if the other one takes all of them.
extension LintContext {
    /// The suggestion to decide `other` before `entity`, together with the experiences between them that `other`
    /// depends on.
    mutating func remedy(puttingBefore entity: ConfigDocument.Entity, _ other: ConfigDocument.Entity) -> String {
        let graph = entrances.graph
        guard let own = experience(of: entity), let asked = experience(of: other),
            let place = graph.place(of: own.id.key), let last = graph.place(of: asked.id.key), place < last
        else { return "Put \(other.name) before \(entity.name)." }
        let places = placesNeeded(by: asked, after: place)
        let names = names(of: places.map { graph.experiences[$0].id.key })
        let remedy = "Put \(names) before \(entity.name)" + (places.count > 1 ? ", in this order." : ".")
        let outcome = outcome(for: own) { $0.move(places, before: place) }
        guard case .losing(let losers)? = outcome else { return remedy + easing(outcome) }
        if graph.questions(of: own)[asked.id.key]?.letsIn ?? true {
            return remedy + " Correct also what \(self.names(of: losers)) would ask for then, which no visitor meets."
        }
        return "Remove the audience: with \(names) before \(entity.name), no visitor is left for "
            + "\(self.names(of: losers))."
    }

    /// A suggestion to remove an audience from `entity`, with what is to be done before, so that no experience loses
    /// all of its new visitors by it.
    ///
    /// - Parameters:
    ///   - keepsOut: whether the audience keeps out the visitors of an experience. It never does so here.
    ///   - remedy: the suggestion.
    mutating func remedy(
        removing audience: EntityID, from entity: ConfigDocument.Entity, keepsOut: Bool, _ remedy: String
    ) -> String {
        guard let own = experience(of: entity) else { return remedy }
        // If all audiences are required, one that keeps no visitor out changes nothing.
        if keepsOut, own.audienceMatching == .all || own.audiences.count == 1 { return remedy }
        return remedy + easing(outcome(removing: [audience], from: entity, own))
    }

    /// The suggestion to require all audiences of `entity` instead of any.
    mutating func remedy(requiringAllAudiencesOf entity: ConfigDocument.Entity) -> String {
        let remedy = "Ask for all audiences in settings.matching_options."
        var members = entity.members
        members["settings"] = ["matching_options": ["audiences": "all", "locations": "any"]]
        guard let own = experience(of: entity), let changed = ProjectConfig.Experience(.object(members)) else {
            return remedy
        }
        let outcome = outcome(for: own) { $0.replace(changed) }
        guard case .losing? = outcome else { return remedy + easing(outcome) }
        return "Put what the other audiences ask for into one audience, as groups of its OR, and ask for all audiences "
            + "in settings.matching_options."
    }

    /// The suggestion for an experience whose visitors are all taken by others, which it excludes.
    mutating func remedy(
        forStarved entity: ConfigDocument.Entity, _ own: ProjectConfig.Experience, by takers: [ExperienceQuestion]
    ) -> String {
        // An experience that takes a part of its visitors contributes only through others.
        let full = takers.filter { taker in
            entrances.graph.experience(id: taker.id).map { entrances.room(of: $0).known == true } ?? false
        }
        let eased = full.isEmpty ? takers : full
        let easing = "allocate \(eased.map { "'\($0.key.excerpt())'" }.spoken) less than all of the traffic"
        let ids = Set(takers.map(\.id))
        let audiences = entity.references("audiences").map(\.id).filter { id in
            guard let question = audienceQuestions[id], question.keepsOut,
                let asked = entrances.graph.id(forKey: question.experienceKey)
            else { return false }
            return ids.contains(asked.key)
        }
        let removal =
            Set(audiences).count > 1
            ? "remove the audiences that exclude their visitors" : "remove the audience that excludes its visitors"
        var suggestions: [String] = []
        if isEntered(own, easing: eased.map(\.id)) { suggestions.append(easing) }
        switch outcome(removing: audiences, from: entity, own) {
        case .safe?, nil: suggestions.append(removal)
        case .easing?, .leavingFew?, .losing?: break
        }
        if suggestions.isEmpty { suggestions = [easing, removal] }
        let text = suggestions.joined(separator: ", or ") + "."
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension LintContext {
    /// The indices of `experience` and of the experiences that it depends on, as far as they come after `place`.
    private func placesNeeded(by experience: ProjectConfig.Experience, after place: Int) -> [Int] {
        let graph = entrances.graph
        var found = Set([graph.place(of: experience.id.key)].compactMap(\.self))
        var open = [experience]
        while let next = open.popLast() {
            for question in graph.questions(of: next) where question.isDecidedBefore {
                guard let other = graph.place(of: question.id), other > place, found.insert(other).inserted else {
                    continue
                }
                open.append(graph.experiences[other])
            }
        }
        return found.sorted()
    }

    /// The outcome of removing audiences from an experience; `nil` if too many remedies were tried before.
    private mutating func outcome(
        removing audiences: [EntityID], from entity: ConfigDocument.Entity, _ own: ProjectConfig.Experience
    ) -> RemedyTrial.Outcome? {
        let removed = Set(audiences)
        var members = entity.members
        members["audiences"] = .array(
            (members["audiences"]?.arrayValue ?? []).filter { value in
                EntityID(onWire: value).map { !removed.contains($0) } ?? true
            })
        guard let changed = ProjectConfig.Experience(.object(members)) else { return nil }
        return outcome(for: own) { $0.replace(changed) }
    }

    /// The outcome of a change for `experience` and the experiences that depend on it; `nil` if too many remedies were
    /// tried before.
    private mutating func outcome(
        for experience: ProjectConfig.Experience, _ change: (inout RemedyTrial) -> Void
    ) -> RemedyTrial.Outcome? {
        guard canTry() else { return nil }
        var trial = RemedyTrial(entrances, search)
        change(&trial)
        let document = document
        return pool.budget.spending(from: &remedyWork) { [trial] in
            trial.outcome(for: experience) { document.halved($0) }
        }
    }

    /// Whether visitors enter `experience` after other experiences are allocated less; `true` if too many remedies were
    /// tried before.
    private mutating func isEntered(_ experience: ProjectConfig.Experience, easing others: [PropertyKey]) -> Bool {
        guard canTry() else { return true }
        var trial = RemedyTrial(entrances, search)
        for other in others.compactMap(document.halved) { trial.replace(other) }
        return pool.budget.spending(from: &remedyWork) { [trial] in trial.isEntered(experience.id.key) }
    }

    /// Whether a further remedy may be tried. Counts it.
    private mutating func canTry() -> Bool {
        let cost = entrances.graph.experiences.reduce(0) { $0 + 1 + $1.audiences.count }
        guard remedyWork > 0, trialWork >= cost else { return false }
        trialWork -= cost
        return true
    }

    /// What is to be done before a remedy; empty if nothing is.
    private func easing(_ outcome: RemedyTrial.Outcome?) -> String {
        switch outcome {
        case .safe?, nil: ""
        case .easing(let takers, let losers)?:
            " First allocate \(names(of: takers)) less than all of the traffic: otherwise "
                + "\(takers.count == 1 ? "it takes" : "they take") every visitor whom \(names(of: losers)) would "
                + "let in."
        case .leavingFew(let takers, let losers)?:
            " First allocate \(names(of: takers)) less of the traffic: otherwise at most one visitor of a hundred is "
                + "left for \(names(of: losers))."
        case .losing(let losers)?: " Correct also what \(names(of: losers)) would ask for then, which no visitor meets."
        }
    }

    private func names(of ids: [PropertyKey]) -> String {
        ids.map { id in
            document[.experiences].first { $0.id?.key == id }?.name ?? "experience '\(id.text.excerpt())'"
        }.spoken
    }
}

extension ConfigDocument {
    /// The experience with an id, with half of its allocations; `nil` if there is no such experience.
    fileprivate func halved(_ id: PropertyKey) -> ProjectConfig.Experience? {
        guard let entity = self[.experiences].first(where: { $0.id?.key == id }) else { return nil }
        var members = entity.members
        let variations = members["variations"]?.arrayValue ?? []
        members["variations"] = .array(
            variations.map { value in
                guard var variation = value.objectValue else { return value }
                let allocation = variation["traffic_allocation"].map { ECMAScript.toNumber($0) } ?? 100
                variation["traffic_allocation"] = .number(allocation / 2)
                return .object(variation)
            })
        return ProjectConfig.Experience(.object(members))
    }
}
