internal import ConvertECMAScript

extension ExperienceManager {
    /// The location gate: the attached locations if there are any, else the site area.
    func locationGate<Observer: DecisionObserver>(
        _ experience: ExperienceRow, _ visitor: inout Visitor, _ call: inout DecisionCall<Observer>
    ) -> Decision.Reason? {
        if call.options.ignoresLocationProperties {
            call.observer.didReach(.location, passed: true, "location properties are ignored")
            return nil
        }
        let semantics = project.options.semantics
        guard
            call.options.givesLocation || semantics.takesMissingLocationAsEmpty || call.options.locationData != nil
        else {
            call.observer.didReach(.location, passed: false, "no location properties were given")
            return .missingLocationProperties
        }
        let verdict: RuleVerdict
        var isRestricting = true
        switch experience.location {
        case .unrestricted:
            verdict = .matched
            isRestricting = false
        case .siteArea(let rules):
            verdict = locationVerdict(of: rules, "site area", &call)
        case .locations(let attached):
            verdict = presence(at: attached, &visitor, &call)
        }
        call.observer.didReach(
            .location, passed: verdict.isMatch, isRestricting ? "\(verdict)" : "not restricted")
        return reason(for: verdict, else: .locationNotMatched)
    }

    /// Any of the locations must match, and each of them updates the visitor's stored presence.
    private func presence<Observer: DecisionObserver>(
        at attached: PoolRange, _ visitor: inout Visitor, _ call: inout DecisionCall<Observer>
    ) -> RuleVerdict {
        guard attached.count > 0 else { return .notMatched }
        var present = visitor.state.locations ?? []
        var result = RuleVerdict.notMatched
        var changes: [DecisionEffect] = []
        for place in attached.indices {
            let index = Int(project.attachments[place])
            let location = project.config.locations[index]
            guard let rules = project.locations[index].rules else {
                call.observer.willEvaluate("\(describe(location)) has no rules", against: nil)
                call.observer.didEvaluate(rules: .notMatched)
                continue
            }
            let verdict = locationVerdict(of: rules, describe(location), &call)
            let name = call.identifiesByID ? location.id.text : location.entityKey.lookUp.name
            let stored = present.firstIndex { $0.hasSameCodeUnits(as: name) }
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
                if project.options.semantics.letsErrorsEndTheCall {
                    if !call.isPreviewing { call.effects += changes }
                    return .malformed
                }
            }
        }
        if call.stores, visitor.state.locations != present {
            visitor.apply(.locations(present), in: project)
            call.effects.append(.store(.locations(present)))
        }
        if !call.isPreviewing { call.effects += changes }
        return result
    }

    private func describe(_ location: ProjectConfig.Location) -> String {
        "location \(location.entityKey.lookUp.name)"
    }

    /// What comes of rules where the visitor is.
    private func locationVerdict<Observer: DecisionObserver>(
        of rules: CompiledRules, _ subject: @autoclosure () -> String, _ call: inout DecisionCall<Observer>
    ) -> RuleVerdict {
        let verdict: RuleVerdict
        if let data = call.options.locationData {
            call.observer.willEvaluate(subject(), against: nil)
            verdict = project.program.evaluate(rules, answeredBy: data, observer: &call.observer)
        } else {
            var location =
                call.location.take() ?? Attributes(call.options.locationProperties ?? JSObject(), in: project.program)
            call.observer.willEvaluate(subject(), against: location)
            verdict = project.program.evaluate(rules, against: &location, observer: &call.observer)
            call.location = location
        }
        call.observer.didEvaluate(rules: verdict)
        return verdict
    }
}
