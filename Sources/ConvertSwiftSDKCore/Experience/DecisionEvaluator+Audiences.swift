internal import ConvertECMAScript

extension DecisionEvaluator {
    /// The audience gate: as many of the attached audiences as the experience asks for.
    mutating func audienceReason<Observer: DecisionObserver>(
        _ experience: ExperienceRow, _ project: Project, _ visitor: inout Visitor, _ isBucketed: Bool,
        _ observer: inout Observer
    ) -> Decision.Reason? {
        let semantics = project.options.semantics
        var checked = experience.hasUnusableAudience ? 1 : 0
        var matched = 0
        var missing = RuleVerdict.matched
        for place in experience.audiences.indices {
            let index = Int(project.attachments[place])
            // Who is bucketed already stays, whatever became of the permanent audiences.
            if isBucketed && project.audiences[index].isPermanent { continue }
            checked += 1
            switch verdict(ofAudience: index, project, &visitor, &observer) {
            case .matched: matched += 1
            case .notMatched: break
            case .malformed:
                if semantics.letsErrorsEndTheCall {
                    observer.didReach(.audiences, passed: false, "null where rules need an object")
                    return .malformedRules
                }
            case let verdict: if missing == .matched { missing = verdict }
            }
        }
        let matching = experience.audienceMatching
        let passed =
            checked == 0 || (matching == .all ? matched == checked : matched > 0)
        var closing = reason(missing, else: nil, semantics)
        if closing == nil && checked > 0 && matching == .missing && !semantics.takesMissingMatchingAsAny {
            closing = .missingSettings
        }
        if closing == nil && !passed { closing = .audienceNotMatched }
        observer.didReach(
            .audiences, passed: closing == nil,
            "\(matched) of \(checked) to check match, \(matching) needed, \(experience.audiences.count) attached")
        return closing
    }

    private mutating func verdict<Observer: DecisionObserver>(
        ofAudience index: Int, _ project: Project, _ visitor: inout Visitor, _ observer: inout Observer
    ) -> RuleVerdict {
        switch project.audiences[index].test {
        case .never:
            observer.willEvaluate(describe(audience: index, project) + " has no rules", against: nil)
            observer.didEvaluate(rules: .notMatched)
            return .notMatched
        case .bucketedInto(let experience, let negated):
            let key = experience.map { project.model($0).id.key }
            let isBucketed = key.flatMap { visitor.state.bucketing?[$0] }?.isTruthy ?? false
            let verdict = RuleVerdict(isBucketed != negated)
            observer.willEvaluate(
                describe(audience: index, project) + " asks for \(negated ? "no" : "a") decision stored for experience "
                    + (key?.name ?? "(unknown)"), against: nil)
            observer.didEvaluate(rules: verdict)
            return verdict
        case .rules(let rules):
            if options.hasVisitorData, let data = options.visitorData {
                observer.willEvaluate(describe(audience: index, project), against: nil)
                let verdict = project.program.evaluate(rules, answeredBy: data, observer: &observer)
                observer.didEvaluate(rules: verdict)
                return verdict
            }
            if callAttributes == nil, let known = visitor.resolved.verdict(at: index) { return known }
            let verdict: RuleVerdict
            if var attributes = callAttributes.take() {
                observer.willEvaluate(describe(audience: index, project), against: attributes)
                verdict = project.program.evaluate(rules, against: &attributes, observer: &observer)
                callAttributes = attributes
            } else {
                observer.willEvaluate(describe(audience: index, project), against: visitor.resolved)
                verdict = project.program.evaluate(rules, against: &visitor.resolved, observer: &observer)
                visitor.resolved.remember(verdict, at: index)
            }
            observer.didEvaluate(rules: verdict)
            return verdict
        }
    }

    private func describe(audience index: Int, _ project: Project) -> String {
        let audience = project.config.audiences[index]
        return "audience " + (audience.key.map { "\($0) (\(audience.id))" } ?? audience.id.text)
    }

    func isInSegments<Observer: DecisionObserver>(
        of experience: ExperienceRow, _ project: Project, _ state: VisitorState,
        _ observer: inout Observer
    ) -> Bool {
        guard experience.segments.count > 0 else { return true }
        let stored = state.storedCustomSegments
        let segments = project.segmentIDs[experience.segments.indices]
        let passed = segments.contains { stored.contains($0) }
        observer.didReach(
            .segments, passed: passed, "in any of \(segments.map(\.text).joined(separator: ", "))")
        return passed
    }
}
