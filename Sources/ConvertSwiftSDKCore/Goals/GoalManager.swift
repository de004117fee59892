import ConvertECMAScript

/// Tracks conversions: each goal once per visitor, and further transactions on request.
package struct GoalManager: Sendable {
    let project: Project

    package init(project: Project) { self.project = project }

    /// Tracks a conversion. The goal is stored as triggered under `key`, also in the visitor's state.
    ///
    /// - Returns: the result. A first conversion with values produces two events: the first without the values, the
    ///   second with them.
    package func trackConversion(
        _ key: String, for visitor: inout Visitor, options: ConversionOptions = ConversionOptions()
    ) -> Answer<Conversion.Outcome> {
        trackConversion(key, for: &visitor, options: options, observer: SilentObserver())
    }

    /// Tracks a conversion, and passes the steps of the rules' evaluation to `observer`.
    func trackConversion(
        _ key: String, for visitor: inout Visitor, options: ConversionOptions, observer: some DecisionObserver
    ) -> Answer<Conversion.Outcome> {
        var effects: [DecisionEffect] = []
        func ended(_ outcome: Conversion.Outcome) -> Answer<Conversion.Outcome> { Answer(outcome, effects: effects) }
        guard !visitor.id.isEmpty else { return ended(.missingVisitorID) }
        visitor.adopt(project)
        guard visitor.preview == nil else { return ended(.preview) }
        guard let goal = project.goal(key: key) else { return ended(.unknownGoal) }
        if let ruleData = options.ruleData {
            guard let rules = project.ruleSets.goals[goal] else { return ended(.rulesNotMatched) }
            var budget = project.callBudget
            var attributes = Attributes(ruleData, in: project.program)
            let verdict = project.verdict(of: rules, for: .goal(key: key), on: &attributes, &budget, observer)
            if let condition = budget.firstAbandoned { effects.append(project.warning(about: condition)) }
            switch verdict {
            case .matched: break
            case .malformed: return ended(.malformedRules)
            default: return ended(.rulesNotMatched)
            }
        }
        let stored = PropertyKey(key)
        let wasTriggered = visitor.state.goals.isTruthy(
            stored, inheriting: project.options.semantics.readsInheritedMembers)
        if wasTriggered && !options.forcesMultipleTransactions { return ended(.alreadyTriggered) }
        if !(visitor.state.goals?[stored]?.isTruthy ?? false) {
            visitor.apply(.goal(stored), in: project)
            effects.append(.store(.goal(stored)))
        }
        let segments = visitor.state.segments.map { ReportSegments.split($0).segments }.flatMap {
            $0.isEmpty ? nil : $0
        }
        let (id, bucketing) = (project.config.goals[goal].id, visitor.state.bucketing)
        func report(_ goalData: JSValue?) {
            let event = TrackingEvent.conversion(goalID: id, goalData: goalData, bucketing: bucketing)
            effects.append(.track(event, segments: segments))
        }
        if !wasTriggered { report(nil) }
        if let goalData = options.goalData { report(.array(goalData)) }
        return ended(.triggered)
    }
}
