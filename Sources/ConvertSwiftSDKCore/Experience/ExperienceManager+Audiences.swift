internal import ConvertECMAScript

extension ExperienceManager {
    /// The audience gate: passes if enough of the attached audiences match.
    @inline(__always)
    func audienceGate(
        _ experience: ExperienceRow, _ options: DecisionOptions, _ call: inout DecisionCall<some DecisionObserver>,
        isBucketed: Bool
    ) -> Decision.Reason? {
        if !isBucketed, call.goesByContext, call.visitor.value.resolved.hasSweptVerdicts,
            let matched = call.visitor.value.resolved.matchCount(
                of: project.experiences.attachments[experience.audiences])
        {
            let checked = experience.audiences.count + (experience.lacksAudiences ? 1 : 0)
            return closedGate(of: experience, AudienceCount(checked: checked, matched: matched), call)
        }
        return walkedAudienceGate(experience, options, &call, isBucketed: isBucketed)
    }

    /// Counts of the audiences that were checked.
    private struct AudienceCount {
        var checked: Int
        var matched = 0
        /// The first verdict for which rule data had no answer.
        var missing: RuleVerdict?
    }

    /// The gate if not all verdicts are cached: reads or computes them one by one.
    @inline(never)
    private func walkedAudienceGate<Observer: DecisionObserver>(
        _ experience: ExperienceRow, _ options: DecisionOptions, _ call: inout DecisionCall<Observer>, isBucketed: Bool
    ) -> Decision.Reason? {
        var count = AudienceCount(checked: experience.lacksAudiences ? 1 : 0)
        var place = experience.audiences.start
        let end = place &+ experience.audiences.count
        while place < end {
            let index = Int(project.experiences.attachments[place])
            place &+= 1
            // A visitor who is already bucketed stays, whatever the permanent audiences decide now.
            if isBucketed && project.ruleSets.audiences[index].isPermanent { continue }
            count.checked &+= 1
            let verdict = verdict(ofAudience: index, options, &call)
            switch verdict {
            case .matched: count.matched &+= 1
            case .notMatched: break
            case .malformed:
                if project.options.semantics.throwsOnMalformedRules {
                    call.observer.didReach(.malformedAudience, passed: false)
                    return .malformedRules
                }
            case .needMoreData, .noDataFound: if count.missing == nil { count.missing = verdict }
            }
            // One verdict can decide the gate, unless a later audience may lack data or end the call.
            let deciding = experience.audienceMatching == .all ? RuleVerdict.notMatched : .matched
            if verdict == deciding, !Observer.seesAllAudiences, !options.hasVisitorData, !project.letsRulesEndTheCall {
                break
            }
        }
        return closedGate(of: experience, count, call)
    }

    /// Why the gate is closed, or `nil` if it is open, according to the audiences that were checked.
    @inline(__always)
    private func closedGate(
        of experience: ExperienceRow, _ count: AudienceCount, _ call: borrowing DecisionCall<some DecisionObserver>
    ) -> Decision.Reason? {
        let matching = experience.audienceMatching
        let closing: Decision.Reason? =
            if let missing = count.missing {
                reason(for: missing, else: nil)
            } else if count.checked == 0 {
                nil
            } else if matching == .missing && !project.options.semantics.takesMissingMatchingAsAny {
                .missingSettings
            } else {
                (matching == .all ? count.matched == count.checked : count.matched > 0) ? nil : .audienceNotMatched
            }
        call.observer.didReach(
            .audiences(
                matched: count.matched, checked: count.checked, needed: matching, attached: experience.audiences.count),
            passed: closing == nil)
        return closing
    }

    /// The verdict of an audience.
    @inline(__always)
    func verdict(
        ofAudience index: Int, _ options: DecisionOptions, _ call: inout DecisionCall<some DecisionObserver>
    ) -> RuleVerdict {
        if call.goesByContext, let known = call.visitor.value.resolved.verdict(at: index) { return known }
        switch project.ruleSets.audiences[index].test {
        case .rules(let rules): return verdict(of: rules, ofAudience: index, options, &call)
        case .never:
            return unruled(.notMatched, .audience(index), call)
        case .bucketedInto(let experience, let negated):
            let readsInherited = project.options.semantics.readsInheritedMembers
            let isBucketed =
                experience.map {
                    call.visitor.value.state.bucketing.isTruthy(project.model($0).id.key, inheriting: readsInherited)
                } ?? false
            return unruled(Truth(isBucketed).verdict(negated: negated), .audience(index), call)
        }
    }

    /// Reports and returns `verdict`, which was reached without rules.
    @inline(__always)
    func unruled(
        _ verdict: RuleVerdict, _ subject: @autoclosure () -> RuleSubject,
        _ call: borrowing DecisionCall<some DecisionObserver>
    ) -> RuleVerdict {
        call.observer.willEvaluate(subject(), against: nil)
        call.observer.didEvaluate(rules: verdict)
        return verdict
    }

    /// The verdict of an audience's rules. If the rules read the context's attributes, the verdict is cached.
    @inline(__always)
    private func verdict(
        of rules: CompiledRules, ofAudience index: Int, _ options: DecisionOptions,
        _ call: inout DecisionCall<some DecisionObserver>
    ) -> RuleVerdict {
        let verdict: RuleVerdict
        if options.hasVisitorData {
            verdict = answer(to: rules, of: .audience(index), options, &call)
        } else if call.attributes != nil {
            verdict = self.verdict(of: rules, onOwnPropertiesFor: index, &call)
        } else {
            call.observer.willEvaluate(.audience(index), against: call.visitor.value.resolved.copy())
            verdict = project.rules.evaluate(
                rules, against: &call.visitor.value.resolved, &call.budget, observer: call.observer,
                rememberedAt: index)
        }
        call.observer.didEvaluate(rules: verdict)
        return verdict
    }

    /// The verdict of rules on the properties of the call.
    @inline(never)
    private func verdict(
        of rules: CompiledRules, onOwnPropertiesFor audience: Int, _ call: inout DecisionCall<some DecisionObserver>
    ) -> RuleVerdict {
        guard var attributes = call.attributes.take() else { return .notMatched }
        call.observer.willEvaluate(.audience(audience), against: attributes.copy())
        let verdict = project.rules.evaluate(rules, against: &attributes, &call.budget, observer: call.observer)
        call.attributes = consume attributes
        return verdict
    }

    /// The verdict of rules that the call's rule data answers.
    @inline(never)
    func answer(
        to rules: CompiledRules, of subject: RuleSubject, _ options: DecisionOptions,
        _ call: inout DecisionCall<some DecisionObserver>
    ) -> RuleVerdict {
        let data = if case .audience = subject { options.visitorData } else { options.locationData }
        guard let data else { return .notMatched }
        call.observer.willEvaluate(subject, against: nil)
        return project.rules.evaluate(rules, answeredBy: data, &call.budget, observer: call.observer)
    }
}

extension ExperienceManager {
    /// Whether a visitor is in the audience at `index` of the config, by the properties that decisions use; `nil` if
    /// the audience depends on stored decisions.
    package func isMember(ofAudience index: Int, _ visitor: inout Visitor) -> Bool? {
        visitor.adopt(project)
        switch project.ruleSets.audiences[index].test {
        case .never: return false
        case .bucketedInto: return nil
        case .rules:
            let options = DecisionOptions()
            return withCall(options, for: &visitor, identifiesByID: false, SilentObserver()) { call in
                verdict(ofAudience: index, options, &call).isMatch
            }.value
        }
    }
}
