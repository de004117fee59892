internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Visitors that show what findings say about visitors, as found by a search. If a finding says how an experience is
/// decided, its visitor was tried on the decision engine.
extension LintContext {
    /// The visitor for a search result.
    func witness(of model: VisitorSearch.Model) -> PopulationVisitor {
        PopulationVisitor(
            visitorID: "witness", attributes: model.attributes, locationProperties: model.locationProperties)
    }

    /// A visitor with `text` as the property that the condition reads.
    func witness(with text: String, _ site: SitedCondition) -> PopulationVisitor {
        var model = VisitorSearch.Model()
        if let subject = site.subject { model[subject] = .string(text) }
        return witness(of: model)
    }

    /// A visitor who meets a condition and, if possible, also its group.
    func witness(meeting condition: Formula, in group: Formula) -> PopulationVisitor? {
        // A finding that is not listed needs no visitor.
        if isFull(.warning) { return nil }
        for formulas in [[group, condition], [condition]] {
            if case .found(let model) = search.run(formulas, kinds: .scalars) { return witness(of: model) }
        }
        return nil
    }

    /// A visitor who passes the entry conditions of an experience and gets no variation.
    func witness(withoutVariationOf entity: ConfigDocument.Entity) -> PopulationVisitor? {
        guard !isFull(.note), let experience = experience(of: entity), experience.environment != .nowhere,
            case .found(let model) = search.run([entrances.gates(of: experience)])
        else { return nil }
        return EngineTrial(project, environment: experience.environmentName).visitor(missing: experience, as: model)
    }

    /// A visitor for whom a question about another experience overrides the other conditions: the question lets the
    /// visitor in and the conditions would not, or the reverse.
    func witness(overriding groups: [RuleGroup], by question: BucketingQuestion) -> PopulationVisitor? {
        if isFull(.warning) { return nil }
        let answer = entrances.formula(of: question)
        for isLetIn in [true, false] {
            let given = ConditionPool.Given(clause: question.clause, leaf: question.leaf, holds: isLetIn)
            let rules = Formula.some(
                groups.enumerated().map { index, group in
                    pool.formula(of: group, .visitor, given: index == question.group ? given : nil)
                })
            let formulas = isLetIn ? [answer, rules.negated] : [answer.negated, rules]
            if case .found(let model) = search.run(formulas) {
                return EngineTrial(project, environment: nil).visitor(of: model)
            }
        }
        return nil
    }

    /// A new visitor for whom the first call for all experiences gives a surprising answer: the visitor gets the
    /// experience although `asked` should keep the visitor out, or does not get it although the visitor gets `asked`,
    /// which it requires.
    mutating func witness(
        ofAskingAbout asked: ConfigDocument.Entity, in entity: ConfigDocument.Entity, keepsOut: Bool
    ) -> PopulationVisitor? {
        guard !isFull(.warning), decisionsLeft >= document[.experiences].count,
            let experience = experience(of: entity), let other = self.experience(of: asked)
        else { return nil }
        // A search counts as work even if it finds no visitor.
        decisionsLeft -= entrances.graph.questions(of: experience).count
        let isEntered = asked.index != entity.index && !document.isArchived(asked)
        var formulas = [entrances.gates(of: experience)]
        if isEntered { formulas.append(entrances.gates(of: other)) }
        guard case .found(var model) = search.run(formulas) else { return nil }
        // A visitor who must already be in the other experience is not a new visitor.
        model.storedDecisions[other.id.text] = nil
        let trial = EngineTrial(project, environment: experience.environmentName ?? other.environmentName)
        return trial.visitor(as: model, work: &decisionsLeft) { decisions in
            (decisions[experience.id.key]?.variation != nil) == keepsOut
                && (!isEntered || decisions[other.id.key]?.variation != nil)
        }
    }
}
