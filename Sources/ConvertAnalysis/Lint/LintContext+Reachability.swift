internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for experiences that no new visitor can enter.
extension LintContext {
    mutating func checkReachability() {
        for entity in document[.experiences] where !document.isArchived(entity) {
            // A second experience with the same id already has a finding and is never decided.
            guard let experience = experience(of: entity), !BucketRuns(experience, under: semantics).isEmpty else {
                continue
            }
            if experience.environment == .nowhere { continue }
            switch search.run([entrances.gates(of: experience)]) {
            case .impossible:
                add(
                    .experienceUnreachable, at: entity.path,
                    "No new visitor can enter \(entity.name): \(entrances.obstacle(to: experience, search)).",
                    remedy: "Correct what it asks for, or archive it.", under: origins(of: entity))
            case .undecided:
                addUndecided(entity, "the questions take more than the limits allow, or a pattern is opaque")
            case .found(let found):
                let replay = EngineTrial(project, environment: experience.environmentName)
                if replay.visitor(entering: experience, as: found) == nil {
                    addUndecided(
                        entity,
                        "the search found a visitor who meets its rules, but the decision engine does not let that "
                            + "visitor in")
                } else {
                    checkLists(neededBy: entity, experience, found)
                    // Without an environment of the project no visitor is left for others to take.
                    guard project.config.runsSomewhere(experience) else { continue }
                    let count = findingCount
                    checkStarvation(of: entity, experience)
                    if findingCount == count { checkVisitorsLeft(to: entity, experience) }
                }
            }
        }
    }

    /// Checks whether only attributes that are arrays or objects let a visitor in.
    private mutating func checkLists(
        neededBy entity: ConfigDocument.Entity, _ experience: ProjectConfig.Experience, _ found: VisitorSearch.Model
    ) {
        guard search.isImpossible([entrances.gates(of: experience)], kinds: .noContainers) else { return }
        add(
            .groupNeedsList, at: entity.path,
            "Only a visitor with an attribute that is an array or an object can enter \(entity.name): its "
                + "audiences and locations exclude each other for every other value.",
            remedy: "If one of its audiences is enough, write \"any\" in settings.matching_options.audiences; else "
                + "correct what they ask for.",
            witness: witness(of: found), under: origins(of: entity))
    }

    /// The places that may explain why no visitor enters an experience.
    private func origins(of entity: ConfigDocument.Entity) -> [String] {
        var result = ["audiences", "locations", "site_area"].map { "\(entity.path).\($0)" }
        for (list, member) in [(ConfigDocument.List.audiences, "audiences"), (.locations, "locations")] {
            let ids = Set(entity.references(member).map(\.id))
            if ids.isEmpty { continue }
            result += document[list].filter { $0.id.map(ids.contains) ?? false }
                .map { $0.rules() == nil ? $0.path : $0.path + ".rules" }
        }
        return result
    }

    /// Checks whether experiences that are decided earlier take every visitor that this one would let in.
    private mutating func checkStarvation(
        of entity: ConfigDocument.Entity, _ experience: ProjectConfig.Experience
    ) {
        let questions = entrances.graph.questions(of: experience)
        if questions.isEmpty { return }
        let formula = entrances.entry(of: experience, stored: .whereNeeded).formula
        var entered: Set<PropertyKey>?
        if !search.isImpossible([formula]) {
            entered = entrances.enteredOnes(neededBy: experience, search)
            if entered?.contains(experience.id.key) ?? true { return }
        }
        let before = questions.filter(\.isDecidedBefore)
        func isEntered(_ question: ExperienceQuestion) -> Bool {
            guard let other = entrances.graph.experience(id: question.id) else { return false }
            if let entered { return entered.contains(question.id) }
            if let known = enteredExperiences[question.id] { return known }
            let isEntered = !search.isImpossible([entrances.entry(of: other, stored: .whereNeeded).formula])
            enteredExperiences[question.id] = isEntered
            return isEntered
        }
        if let needed = questions.first(where: { $0.letsIn && !isEntered($0) }) {
            let other = document[.experiences].first { $0.id?.key == needed.id }
            let name = "'\(needed.key.excerpt())'"
            let isRing = entrances.graph.experience(id: needed.id).map { asks($0, about: experience) } ?? false
            return add(
                .experienceUnreachable, at: entity.path,
                "No new visitor can enter \(entity.name): it lets in only visitors of \(name), "
                    + (isRing
                        ? "which in turn asks about this one, directly or through others."
                        : "which no new visitor enters."),
                remedy: isRing
                    ? "Remove one of the audiences by which they ask about each other."
                    : "Let visitors into \(name), or remove the audience that asks for it.",
                under: isRing ? [] : other.map { [$0.path] } ?? [])
        }
        let takers = before.filter { $0.keepsOut && isEntered($0) }
        if takers.isEmpty { return addApart(entity, from: questions, experience) }
        let names = takers.map { "'\($0.key.excerpt())'" }.spoken
        var witness: PopulationVisitor?
        if case .found(var found) = search.run([entrances.gates(of: experience)]) {
            for question in questions where question.keepsOut { found.storedDecisions[question.id.text] = nil }
            let trial = EngineTrial(project, environment: experience.environmentName, budget: pool.budget)
            witness = trial.visitor(as: found, work: &decisionsLeft) { decisions in
                decisions[experience.id.key]?.variation == nil
                    && takers.contains { decisions[$0.id]?.variation != nil }
            }
        }
        add(
            .experienceUnreachable, at: entity.path,
            "A call for all experiences lets no new visitor into \(entity.name): \(names) "
                + "\(takers.count == 1 ? "is" : "are") decided before it and \(takers.count == 1 ? "takes" : "take") "
                + "every visitor whom it would let in.",
            remedy: remedy(forStarved: entity, experience, by: takers),
            witness: witness)
    }

    /// Adds a finding for an experience that lets in only visitors of another one, if its other conditions keep these
    /// visitors out.
    private mutating func addApart(
        _ entity: ConfigDocument.Entity, from questions: ExperienceQuestions, _ experience: ProjectConfig.Experience
    ) {
        let others = questions.filter(\.letsIn)
        let names = others.map { "'\($0.key.excerpt())'" }.spoken
        let stranger = others.compactMap { entrances.graph.experience(id: $0.id) }.first(where: experience.runsApart)
        let reason =
            stranger.map {
                "that one runs in '\($0.environmentText.excerpt())', this one in "
                    + "'\(experience.environmentText.excerpt())'"
            } ?? "none of them passes what else it asks for"
        add(
            .experienceUnreachable, at: entity.path,
            "No new visitor can enter \(entity.name): it lets in only visitors of \(names), and \(reason).",
            remedy: stranger == nil
                ? "Correct what else it asks for, or remove the audience that asks for \(names)."
                : "Let both run in one environment, or remove the audience that asks for \(names).")
    }

    private mutating func addUndecided(_ entity: ConfigDocument.Entity, _ reason: String) {
        add(
            .undecided, at: entity.path,
            "It was not decided whether anybody can enter \(entity.name): \(reason).",
            remedy: "Simplify its audiences; an app can also raise AnalysisLimits.")
    }
}
