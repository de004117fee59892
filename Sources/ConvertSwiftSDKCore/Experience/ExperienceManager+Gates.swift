internal import ConvertECMAScript

// The gates are in the reference's order. Longer gates have their own files. Each takes the experience and the call,
// and returns whether the visitor passes.

extension ExperienceManager {
    /// The conclusion for the experience at `index`. A `nil` index means that the config does not have the experience.
    @inline(__always)
    func conclusion(
        of index: Int?, _ options: DecisionOptions, _ call: inout DecisionCall<some DecisionObserver>
    ) -> Conclusion {
        guard !call.visitor.value.id.isEmpty else { return .none(.missingVisitorID) }
        guard let index else { return .none(.unknownExperience) }
        let experience = project.experiences[index]
        let isForced = forcedVariation(of: experience, options) != nil
        if !isForced, let reason = closedGate(experience, options, &call) { return .none(reason) }
        return select(experience, options, &call)
    }

    /// Why the first closed gate is closed, or `nil` if all gates are open. A stored decision lets the visitor pass
    /// permanent audiences, but no other gate: ``select(_:_:_:)`` applies the decision after all gates.
    @inline(__always)
    private func closedGate(
        _ experience: ExperienceRow, _ options: DecisionOptions, _ call: inout DecisionCall<some DecisionObserver>
    ) -> Decision.Reason? {
        if isArchived(experience, call) { return .archived }
        guard runsHere(experience, options, call) else { return .otherEnvironment }
        let isBucketed = hasStoredVariation(experience, call)
        if let reason = locationGate(experience, options, &call) { return reason }
        if let reason = audienceGate(experience, options, &call, isBucketed: isBucketed) {
            // The reference checks segments even if the audiences do not match.
            return reason == .audienceNotMatched && cannotReadSegments(experience, call) ? .malformedRules : reason
        }
        guard isInSegments(experience, call) else {
            return cannotReadSegments(experience, call) ? .malformedRules : .segmentNotMatched
        }
        return hasVariations(experience, call) ? nil : .noVariations
    }

    @inline(__always)
    private func isArchived(
        _ experience: ExperienceRow, _ call: borrowing DecisionCall<some DecisionObserver>
    ) -> Bool {
        call.observer.didReach(.archived(experience.isArchived), passed: !experience.isArchived)
        return experience.isArchived
    }

    @inline(__always)
    private func runsHere(
        _ experience: ExperienceRow, _ options: DecisionOptions, _ call: borrowing DecisionCall<some DecisionObserver>
    ) -> Bool {
        let passed =
            switch experience.environment {
            case .anywhere: true
            case .only(let place): Int(place) == call.environmentPlace
            case .nowhere: false
            }
        call.observer.didReach(environment(of: experience, options), passed: passed)
        return passed
    }

    private func environment(of experience: ExperienceRow, _ options: DecisionOptions) -> DecisionFact {
        let asked = options.environment.flatMap { $0.isEmpty ? nil : $0 } ?? environment
        let model = project.model(experience.index)
        return .environment(asked: asked, runsIn: model.environment, published: model.environments)
    }

    /// Whether a variation is stored for the experience and the config still has it. This gate is always open.
    @inline(__always)
    private func hasStoredVariation(
        _ experience: ExperienceRow, _ call: borrowing DecisionCall<some DecisionObserver>
    ) -> Bool {
        let stored = storedVariation(of: experience, call.visitor.value.state)
        call.observer.didReach(
            .storedDecision(storedDecision(call.visitor.value.state, experience, stored)), passed: true)
        return stored != nil
    }

    private func storedDecision(
        _ state: VisitorState, _ experience: ExperienceRow, _ index: Int?
    ) -> DecisionFact.StoredVariation? {
        state.bucketing?[project.model(experience.index).id.key].map { id in
            let key = index.flatMap { project.model(experience.idOwner).variations[$0].key }
            return DecisionFact.StoredVariation(id: ECMAScript.toString(id), key: key, isInConfig: index != nil)
        }
    }

    @inline(__always)
    private func hasVariations(
        _ experience: ExperienceRow, _ call: borrowing DecisionCall<some DecisionObserver>
    ) -> Bool {
        call.observer.didReach(.variations(experience.variationCount), passed: experience.variationCount > 0)
        return experience.variationCount > 0
    }

    /// Why a verdict closes a gate, or `nil` if the gate is open. Returns `reason` if the rules do not match.
    @inline(__always)
    func reason(for verdict: RuleVerdict, else reason: Decision.Reason?) -> Decision.Reason? {
        switch verdict {
        case .matched: nil
        case .notMatched: reason
        case .needMoreData: .needMoreData
        case .noDataFound: .noDataFound
        case .malformed: project.options.semantics.throwsOnMalformedRules ? .malformedRules : reason
        }
    }
}
