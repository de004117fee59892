internal import ConvertECMAScript

extension DecisionEvaluator {
    /// The location gate: the attached locations if there are any, else the site area.
    mutating func locationReason<Observer: DecisionObserver>(
        _ experience: ExperienceRow, _ project: Project, _ visitor: inout Visitor,
        _ effects: inout [DecisionEffect], _ observer: inout Observer
    ) -> Decision.Reason? {
        if options.ignoresLocationProperties {
            observer.didReach(.location, passed: true, "location properties are ignored")
            return nil
        }
        let semantics = project.options.semantics
        guard
            options.locationProperties != nil || options.hasLocationData || semantics.takesMissingLocationAsEmpty
        else {
            observer.didReach(.location, passed: false, "no location properties were given")
            return .missingLocationProperties
        }
        let verdict: RuleVerdict
        switch experience.location {
        case .unrestricted:
            verdict = .matched
        case .siteArea(let rules):
            observer.willEvaluate("site area", against: resolvedLocation(project))
            verdict = evaluateLocation(rules, project, &observer)
            observer.didEvaluate(rules: verdict)
        case .locations(let attached):
            verdict = locationVerdict(attached, project, &visitor, &effects, &observer)
        }
        observer.didReach(
            .location, passed: verdict.isMatch, experience.location.isRestricting ? "\(verdict)" : "not restricted")
        return reason(verdict, else: .locationNotMatched, semantics)
    }

    /// Any of the locations must match, and each of them updates the visitor's stored presence.
    private mutating func locationVerdict<Observer: DecisionObserver>(
        _ attached: PoolRange, _ project: Project, _ visitor: inout Visitor,
        _ effects: inout [DecisionEffect], _ observer: inout Observer
    ) -> RuleVerdict {
        guard attached.count > 0 else { return .notMatched }
        var present = visitor.state.locations ?? []
        var result = RuleVerdict.notMatched
        var changes: [DecisionEffect] = []
        for place in attached.indices {
            let index = Int(project.attachments[place])
            guard let rules = project.locations[index].rules else {
                observer.willEvaluate(describe(location: index, project) + " has no rules", against: nil)
                observer.didEvaluate(rules: .notMatched)
                continue
            }
            observer.willEvaluate(describe(location: index, project), against: resolvedLocation(project))
            let verdict = evaluateLocation(rules, project, &observer)
            observer.didEvaluate(rules: verdict)
            let name = presenceName(ofLocation: index, project)
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
                    if !isPreviewing { effects += changes }
                    return .malformed
                }
            }
        }
        if isStorageEnabled, visitor.state.locations != present {
            visitor.apply(.locations(present), in: project)
            effects.append(.store(.locations(present)))
        }
        if !isPreviewing { effects += changes }
        return result
    }

    /// The name under which presence at a location is stored.
    private func presenceName(ofLocation index: Int, _ project: Project) -> String {
        let location = project.config.locations[index]
        return identifiesByID ? location.id.text : location.entityKey.lookUp.name
    }

    private func describe(location index: Int, _ project: Project) -> String {
        "location \(project.config.locations[index].entityKey.lookUp.name)"
    }

    private mutating func evaluateLocation<Observer: DecisionObserver>(
        _ rules: CompiledRules, _ project: Project, _ observer: inout Observer
    ) -> RuleVerdict {
        if options.hasLocationData, let data = options.locationData {
            return project.program.evaluate(rules, answeredBy: data, observer: &observer)
        }
        guard var location = resolvedLocation(project) else { return .notMatched }
        self.location = nil
        defer { self.location = location }
        return project.program.evaluate(rules, against: &location, observer: &observer)
    }

    private mutating func resolvedLocation(_ project: Project) -> Attributes? {
        if options.hasLocationData { return nil }
        if location == nil {
            location = Attributes(options.locationProperties ?? JSObject(), in: project.program)
        }
        return location
    }
}

extension ExperienceRow.LocationGate {
    fileprivate var isRestricting: Bool {
        if case .unrestricted = self { false } else { true }
    }
}
