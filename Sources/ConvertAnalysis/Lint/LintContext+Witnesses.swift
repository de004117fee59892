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

    /// A visitor who meets a condition and, if possible, also its group.
    func witness(meeting condition: Formula, in group: Formula) -> PopulationVisitor? {
        // A finding that is not listed needs no visitor.
        if isFull { return nil }
        for formulas in [[group, condition], [condition]] {
            if case .found(let model) = search.run(formulas, kinds: .scalars) { return witness(of: model) }
        }
        return nil
    }

    /// A visitor who passes the entry conditions of an experience and gets no variation.
    func witness(withoutVariationOf experience: ConfigDocument.Entity) -> PopulationVisitor? {
        guard !isFull, let model = model(of: experience), model.environment != .nowhere,
            case .found(let found) = search.run([entrances.gates(of: model)])
        else { return nil }
        return EngineTrial(project, environment: model.environmentName).visitor(missing: model, as: found)
    }

    /// A visitor for whom a question about another experience overrides the other conditions: it lets the visitor in
    /// although they do not, or keeps the visitor out although they let them in.
    func witness(overriding groups: [RuleGroup], by question: BucketingQuestion) -> PopulationVisitor? {
        if isFull { return nil }
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

    /// A new visitor for whom the first call for all experiences gives a surprising answer: the visitor gets both the
    /// experience and `other`, which should keep them out, or does not get the experience although `other`, which it
    /// requires, lets them in.
    mutating func witness(
        ofAskingAbout other: ConfigDocument.Entity, in experience: ConfigDocument.Entity, keepsOut: Bool
    ) -> PopulationVisitor? {
        guard !isFull(.warning), decisionsLeft >= document[.experiences].count, let model = model(of: experience),
            let otherModel = self.model(of: other)
        else { return nil }
        // A search counts as work even if it finds no visitor.
        decisionsLeft -= entrances.questions(of: model).count
        let isEntered = other.index != experience.index && !document.isArchived(other)
        var formulas = [entrances.gates(of: model)]
        if isEntered { formulas.append(entrances.gates(of: otherModel)) }
        guard case .found(var found) = search.run(formulas) else { return nil }
        // A visitor who must already be in the other experience is not a new visitor.
        found.storedDecisions[otherModel.id.text] = nil
        let replay = EngineTrial(project, environment: model.environmentName ?? otherModel.environmentName)
        return replay.visitor(as: found, work: &decisionsLeft) { decisions in
            (decisions[model.id.key]?.variation != nil) == keepsOut
                && (!isEntered || decisions[otherModel.id.key]?.variation != nil)
        }
    }
}
