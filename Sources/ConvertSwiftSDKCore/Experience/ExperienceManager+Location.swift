internal import ConvertECMAScript

extension ExperienceManager {
    /// The location gate: checks the attached locations if there are any, otherwise the site area.
    @inline(__always)
    func locationGate(
        _ experience: ExperienceRow, _ options: DecisionOptions, _ call: inout DecisionCall<some DecisionObserver>
    ) -> Decision.Reason? {
        if options.ignoresLocationProperties {
            call.observer.didReach(.location(.ignored), passed: true)
            return nil
        }
        guard
            options.locationProperties != nil || project.options.semantics.takesMissingLocationAsEmpty
                || options.hasLocationData
        else {
            call.observer.didReach(.location(.missing), passed: false)
            return .missingLocationProperties
        }
        let verdict: RuleVerdict
        switch experience.location {
        case .unrestricted:
            call.observer.didReach(.location(.unrestricted), passed: true)
            return nil
        case .siteArea(let rules): verdict = self.verdict(of: rules, at: .siteArea, options, &call)
        case .locations(let attached): verdict = presence(at: attached, options, &call)
        }
        call.observer.didReach(.location(.rules(verdict)), passed: verdict.isMatch)
        return reason(for: verdict, else: .locationNotMatched)
    }

    /// The verdict of the attached locations: a match if any location matches. Each location updates the visitor's
    /// stored presence.
    private func presence(
        at attached: TableRange, _ options: DecisionOptions, _ call: inout DecisionCall<some DecisionObserver>
    ) -> RuleVerdict {
        guard attached.count > 0 else { return .notMatched }
        var present = call.visitor.value.state.locationKeys ?? []
        var result = RuleVerdict.notMatched
        var changes: [DecisionEffect] = []
        for place in attached.indices {
            let index = Int(project.experiences.attachments[place])
            guard let rules = project.ruleSets.locations[index] else {
                _ = unruled(.notMatched, .location(index), call)
                continue
            }
            let verdict = verdict(of: rules, at: .location(index), options, &call)
            let location = project.config.locations[index]
            let hasKey = location.entityKey.kind != nil && location.entityKey.kind != .null
            let name = call.identifiesByID ? location.id.text : hasKey ? location.entityKey.lookUp.text : nil
            let stored = present.firstIndex { Self.isSame($0, name) }
            switch verdict {
            case .matched:
                if result == .notMatched { result = .matched }
                if stored == nil {
                    present.append(name)
                    changes.append(.locationActivated(index))
                }
            case .notMatched:
                if let stored {
                    present.remove(at: stored)
                    changes.append(.locationDeactivated(index))
                }
            case .needMoreData, .noDataFound:
                if result == .notMatched || result == .matched { result = verdict }
            case .malformed:
                guard project.options.semantics.throwsOnMalformedRules else { continue }
                // The reference changes an existing stored list in place, and stores a new list at the end.
                update(call.visitor.value.state.locationKeys == nil ? nil : present, changes, &call)
                return .malformed
            }
        }
        update(present, changes, &call)
        return result
    }

    /// Stores the visitor's locations if they changed and storage is on, and adds `changes` unless in a preview.
    private func update(
        _ present: [String?]?, _ changes: [DecisionEffect], _ call: inout DecisionCall<some DecisionObserver>
    ) {
        if let present, call.stores,
            !(call.visitor.value.state.locationKeys?.elementsEqual(present, by: Self.isSame) ?? false)
        {
            call.store(.locations(present), in: project)
        }
        if !call.visitor.value.isPreviewing { call.effects += changes }
    }

    /// Whether two presence keys are equal, code unit by code unit.
    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.hasSameCodeUnits(as: right)
    }

    /// The verdict of rules on the visitor's location.
    private func verdict(
        of rules: CompiledRules, at subject: RuleSubject, _ options: DecisionOptions,
        _ call: inout DecisionCall<some DecisionObserver>
    ) -> RuleVerdict {
        let verdict: RuleVerdict
        if options.hasLocationData {
            verdict = answer(to: rules, of: subject, options, &call)
        } else {
            var location =
                call.location.take() ?? Attributes(options.locationProperties ?? JSObject(), in: project.program)
            call.observer.willEvaluate(subject, against: location.copy())
            verdict = project.rules.evaluate(rules, against: &location, &call.budget, observer: call.observer)
            call.location = consume location
        }
        call.observer.didEvaluate(rules: verdict)
        return verdict
    }
}
