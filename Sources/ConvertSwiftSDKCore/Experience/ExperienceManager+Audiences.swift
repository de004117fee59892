internal import ConvertECMAScript

extension ExperienceManager {
    /// The audience gate: as many of the attached audiences as the experience asks for.
    @inline(__always)
    func audienceGate(
        _ experience: ExperienceRow, _ visitor: inout Visitor, _ call: inout DecisionCall,
        _ observer: some DecisionObserver, isBucketed: Bool
    ) -> Decision.Reason? {
        if !isBucketed, call.goesByContext, visitor.resolved.hasSweptVerdicts,
            let matched = visitor.resolved.matchCount(of: project.attachments[experience.audiences])
        {
            let checked = experience.audiences.count + (experience.lacksAudiences ? 1 : 0)
            return closedAudienceGate(experience, matched: matched, of: checked, missing: .matched, observer)
        }
        return walkedAudienceGate(experience, &visitor, &call, observer, isBucketed: isBucketed)
    }

    /// The gate by verdicts that are remembered or found out one by one.
    // Apart from where they all are known, which is little work for each of many experiences.
    @inline(never)
    private func walkedAudienceGate<Observer: DecisionObserver>(
        _ experience: ExperienceRow, _ visitor: inout Visitor, _ call: inout DecisionCall,
        _ observer: Observer, isBucketed: Bool
    ) -> Decision.Reason? {
        var checked = experience.lacksAudiences ? 1 : 0
        var matched = 0
        var missing = RuleVerdict.matched
        var place = experience.audiences.start
        let end = place &+ experience.audiences.count
        while place < end {
            let index = Int(project.attachments[place])
            place &+= 1
            // Who is bucketed already stays, whatever became of the permanent audiences.
            if isBucketed && project.audiences[index].isPermanent { continue }
            checked &+= 1
            let verdict = verdict(ofAudience: index, &visitor, &call, observer)
            switch verdict {
            case .matched: matched &+= 1
            case .notMatched: break
            case .malformed:
                if project.options.semantics.letsErrorsEndTheCall {
                    observer.didReach(.audiences, passed: false, "null where rules need an object")
                    return .malformedRules
                }
            case .needMoreData, .noDataFound: if missing == .matched { missing = verdict }
            }
            if place < end, !Observer.seesAllAudiences, isGateSettled(of: experience, by: verdict, call) { break }
        }
        return closedAudienceGate(experience, matched: matched, of: checked, missing: missing, observer)
    }

    /// Whether `verdict`, one audience's, tells what becomes of the gate. It never does where a later audience may miss data or
    /// end the call.
    private func isGateSettled(
        of experience: ExperienceRow, by verdict: RuleVerdict, _ call: borrowing DecisionCall
    ) -> Bool {
        if call.options.answersAudiences || project.letsRulesEndTheCall { return false }
        return verdict == (experience.audienceMatching == .all ? .notMatched : .matched)
    }

    /// Why the gate is closed, if it is, by what came of the audiences that were checked.
    @inline(__always)
    private func closedAudienceGate(
        _ experience: ExperienceRow, matched: Int, of checked: Int, missing: RuleVerdict,
        _ observer: some DecisionObserver
    ) -> Decision.Reason? {
        let matching = experience.audienceMatching
        let closing: Decision.Reason? =
            if missing != .matched {
                reason(for: missing, else: nil)
            } else if checked == 0 {
                nil
            } else if matching == .missing && !project.options.semantics.takesMissingMatchingAsAny {
                .missingSettings
            } else {
                (matching == .all ? matched == checked : matched > 0) ? nil : .audienceNotMatched
            }
        observer.didReach(
            .audiences, passed: closing == nil,
            "\(matched) of \(checked) to check match, \(matching) needed, \(experience.audiences.count) attached")
        return closing
    }

    /// What comes of an audience.
    @inline(__always)
    func verdict(
        ofAudience index: Int, _ visitor: inout Visitor, _ call: inout DecisionCall, _ observer: some DecisionObserver
    ) -> RuleVerdict {
        if call.goesByContext, let known = visitor.resolved.verdict(at: index) { return known }
        switch project.audiences[index].test {
        case .rules(let rules): return verdict(of: rules, ofAudience: index, &visitor, &call, observer)
        case .never:
            observer.willEvaluate("\(describe(audience: index)) has no rules", against: nil)
            observer.didEvaluate(rules: .notMatched)
            return .notMatched
        case .bucketedInto(let experience, let negated):
            let key = experience.map { project.model($0).id.key }
            let isBucketed =
                key.map {
                    visitor.state.bucketing.isTruthy(
                        $0, inheriting: project.options.semantics.readsInheritedMembers)
                } ?? false
            let verdict = Truth(isBucketed).verdict(negated: negated)
            observer.willEvaluate(
                describe(audience: index) + " asks for \(negated ? "no" : "a") decision stored for experience "
                    + (key?.name ?? "(unknown)"), against: nil)
            observer.didEvaluate(rules: verdict)
            return verdict
        }
    }

    /// What comes of an audience's rules. On the context's attributes it is remembered.
    @inline(__always)
    private func verdict(
        of rules: CompiledRules, ofAudience index: Int, _ visitor: inout Visitor, _ call: inout DecisionCall,
        _ observer: some DecisionObserver
    ) -> RuleVerdict {
        let verdict: RuleVerdict
        if call.options.answersAudiences {
            verdict = answer(to: rules, of: call.options.visitorData, describe(audience: index), &call, observer)
        } else if call.attributes != nil {
            verdict = self.verdict(of: rules, onOwnPropertiesOf: &call, describe(audience: index), observer)
        } else {
            observer.willEvaluate(describe(audience: index), against: visitor.resolved.copy())
            verdict = project.rules.evaluate(
                rules, against: &visitor.resolved, &call.budget, observer: observer, rememberedAt: index)
        }
        observer.didEvaluate(rules: verdict)
        return verdict
    }

    /// What comes of rules on the properties that the call brings. Apart, as the next one, from what is run for nearly
    /// every audience.
    @inline(never)
    private func verdict(
        of rules: CompiledRules, onOwnPropertiesOf call: inout DecisionCall, _ subject: @autoclosure () -> String,
        _ observer: some DecisionObserver
    ) -> RuleVerdict {
        guard var attributes = call.attributes.take() else { return .notMatched }
        observer.willEvaluate(subject(), against: attributes.copy())
        let verdict = project.rules.evaluate(rules, against: &attributes, &call.budget, observer: observer)
        call.attributes = consume attributes
        return verdict
    }

    /// What comes of rules when `data` answer them.
    @inline(never)
    func answer(
        to rules: CompiledRules, of data: (any RuleData)?, _ subject: @autoclosure () -> String,
        _ call: inout DecisionCall, _ observer: some DecisionObserver
    ) -> RuleVerdict {
        guard let data else { return .notMatched }
        observer.willEvaluate(subject(), against: nil)
        return project.rules.evaluate(rules, answeredBy: data, &call.budget, observer: observer)
    }

    private func describe(audience index: Int) -> String {
        let audience = project.config.audiences[index]
        return "audience " + (audience.key.map { "\($0) (\(audience.id))" } ?? audience.id.text)
    }

    /// The segment gate: any of the segments among the attached audiences.
    @inline(__always)
    func isInSegments(
        of experience: ExperienceRow, _ state: VisitorState, _ observer: some DecisionObserver
    ) -> Bool {
        experience.segments.count == 0 || isInAny(of: experience.segments, state, observer)
    }

    /// Whether the reference throws at the segment gate: segments are attached, and what is stored of the visitor's is no
    /// list.
    @inline(__always)
    func cannotReadSegments(of experience: ExperienceRow, _ state: VisitorState) -> Bool {
        experience.segments.count > 0 && project.options.semantics.letsErrorsEndTheCall
            && state.storedCustomSegments.isUnusable
    }

    private func isInAny(
        of attached: TableRange, _ state: VisitorState, _ observer: some DecisionObserver
    ) -> Bool {
        let stored = state.storedCustomSegments
        let segments = project.segmentIDs[attached.indices]
        let passed = segments.contains { stored.contains($0) }
        observer.didReach(
            .segments, passed: passed, "in any of \(segments.map(\.text).joined(separator: ", "))")
        return passed
    }
}
