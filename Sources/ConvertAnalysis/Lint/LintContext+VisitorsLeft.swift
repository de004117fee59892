internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for experiences that others leave few visitors.
extension LintContext {
    /// Checks how many visitors the experiences that are decided earlier leave to an experience that excludes theirs.
    mutating func checkVisitorsLeft(to entity: ConfigDocument.Entity, _ experience: ProjectConfig.Experience) {
        let questions = entrances.graph.questions(of: experience)
        for question in questions where question.letsIn {
            guard let place = fewVisitorsPlaces[question.id] else { continue }
            fewVisitorsPlaces[experience.id.key] = entity.path
            let name = "'\(question.key.excerpt())'"
            return add(
                .fewVisitorsLeft, at: entity.path,
                "\(entity.name) lets in only visitors of \(name), to which others leave at most one visitor of a "
                    + "hundred.",
                remedy: "Leave more visitors to \(name), or remove the audience that asks for it.", under: [place])
        }
        if leftShareWork <= 0 { return }
        let (entrances, search) = (entrances, search)
        let found = pool.budget.spending(from: &leftShareWork) { VisitorsLeft(to: experience, entrances, search) }
        guard let found else { return }
        if found.environments == nil { fewVisitorsPlaces[experience.id.key] = entity.path }
        let takers = questions.filter { question in
            question.keepsOut && question.isDecidedBefore
                && entrances.graph.experience(id: question.id).map { entrances.room(of: $0).known != false } ?? false
        }
        let names = takers.map { "'\($0.key.excerpt())'" }.spoken
        let percent = ECMAScript.toString((found.share * 1_000_000).rounded() / 10_000)
        let amount = found.share == 0 ? "none" : (found.isExact ? "\(percent) %" : "at most \(percent) %")
        let place = found.environments.map { " in \($0.map { "'\($0.excerpt())'" }.spoken)" } ?? ""
        let (witness, contrast) = visitors(keptOut: takers, of: experience, in: found.environments?.first)
        add(
            .fewVisitorsLeft, at: entity.path,
            "A call for all experiences\(place) leaves \(entity.name) \(amount) of the new visitors whom it would let "
                + "in: \(names) \(takers.count == 1 ? "is" : "are") decided before it and "
                + "\(takers.count == 1 ? "takes" : "take") the others.",
            remedy: "Allocate \(names) less of the traffic, or remove the audience that excludes "
                + (takers.count == 1 ? "its" : "their") + " visitors.",
            witness: witness, contrast: contrast)
    }

    /// A new visitor whom one of `takers` keeps out of an experience, and another visitor who enters it.
    private mutating func visitors(
        keptOut takers: [ExperienceQuestion], of experience: ProjectConfig.Experience, in environment: String?
    ) -> (PopulationVisitor?, PopulationVisitor?) {
        if isFull(.suspicious) { return (nil, nil) }
        let environment = experience.environmentName ?? environment
        let trial = EngineTrial(project, environment: environment, budget: pool.budget)
        var result: (PopulationVisitor?, PopulationVisitor?) = (nil, nil)
        if case .found(var model) = search.run([entrances.gates(of: experience)]) {
            for taker in takers { model.storedDecisions[taker.id.text] = nil }
            result.0 = trial.visitor(as: model, work: &decisionsLeft) { decisions in
                decisions[experience.id.key]?.variation == nil
                    && takers.contains { decisions[$0.id]?.variation != nil }
            }
        }
        if case .found(let model) = search.run([entrances.entry(of: experience, stored: .none).formula]),
            model.environment == nil || model.environment == environment
        {
            result.1 = trial.visitor(as: model, work: &decisionsLeft) { $0[experience.id.key]?.variation != nil }
        }
        return result
    }
}
