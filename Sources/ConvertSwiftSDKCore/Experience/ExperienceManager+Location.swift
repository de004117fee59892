internal import ConvertECMAScript

extension ExperienceManager {
    /// The location gate: the attached locations if there are any, else the site area.
    @inline(__always)
    func locationGate(
        _ experience: ExperienceRow, _ visitor: inout Visitor, _ call: inout DecisionCall,
        _ observer: some DecisionObserver
    ) -> Decision.Reason? {
        if call.options.ignoresLocationProperties {
            observer.didReach(.location, passed: true, "location properties are ignored")
            return nil
        }
        let semantics = project.options.semantics
        guard
            call.options.givesLocation || semantics.takesMissingLocationAsEmpty || call.options.answersLocations
        else {
            observer.didReach(.location, passed: false, "no location properties were given")
            return .missingLocationProperties
        }
        let verdict: RuleVerdict
        var isRestricting = true
        switch experience.location {
        case .unrestricted:
            verdict = .matched
            isRestricting = false
        case .siteArea(let rules):
            verdict = locationVerdict(of: rules, "site area", &call, observer)
        case .locations(let attached):
            verdict = presence(at: attached, &visitor, &call, observer)
        }
        observer.didReach(
            .location, passed: verdict.isMatch, isRestricting ? "\(verdict)" : "not restricted")
        return reason(for: verdict, else: .locationNotMatched)
    }

    /// Any of the locations must match, and each of them updates the visitor's stored presence.
    private func presence(
        at attached: TableRange, _ visitor: inout Visitor, _ call: inout DecisionCall,
        _ observer: some DecisionObserver
    ) -> RuleVerdict {
        guard attached.count > 0 else { return .notMatched }
        var present = visitor.state.locationKeys ?? []
        var result = RuleVerdict.notMatched
        var changes: [DecisionEffect] = []
        for place in attached.indices {
            let index = Int(project.attachments[place])
            let location = project.config.locations[index]
            guard let rules = project.locations[index].rules else {
                observer.willEvaluate("\(describe(location)) has no rules", against: nil)
                observer.didEvaluate(rules: .notMatched)
                continue
            }
            let verdict = locationVerdict(of: rules, describe(location), &call, observer)
            let name = call.identifiesByID ? location.id.text : location.presenceKey
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
                guard project.options.semantics.letsErrorsEndTheCall else { continue }
                // The reference changes a stored list as it goes, and stores a new one at the end.
                if visitor.state.locationKeys != nil { store(present, &visitor, &call) }
                if !call.isPreviewing { for change in changes { call.add(change) } }
                return .malformed
            }
        }
        store(present, &visitor, &call)
        if !call.isPreviewing { for change in changes { call.add(change) } }
        return result
    }

    /// Stores where the visitor is now, if that is to be stored and is not.
    private func store(_ present: [String?], _ visitor: inout Visitor, _ call: inout DecisionCall) {
        guard call.stores, !(visitor.state.locationKeys?.elementsEqual(present, by: Self.isSame) ?? false) else {
            return
        }
        visitor.apply(.locations(present), in: project)
        call.add(.store(.locations(present)))
    }

    /// Whether two keys of presence are equal, code unit by code unit.
    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.hasSameCodeUnits(as: right)
    }

    private func describe(_ location: ProjectConfig.Location) -> String {
        "location \(location.entityKey.lookUp.name)"
    }

    /// What comes of rules where the visitor is.
    private func locationVerdict(
        of rules: CompiledRules, _ subject: @autoclosure () -> String, _ call: inout DecisionCall,
        _ observer: some DecisionObserver
    ) -> RuleVerdict {
        let verdict: RuleVerdict
        if call.options.answersLocations {
            verdict = answer(to: rules, of: call.options.locationData, subject(), &call, observer)
        } else {
            var location =
                call.location.take() ?? Attributes(call.options.locationProperties ?? JSObject(), in: project.program)
            observer.willEvaluate(subject(), against: location.copy())
            verdict = project.rules.evaluate(rules, against: &location, &call.budget, observer: observer)
            call.location = consume location
        }
        observer.didEvaluate(rules: verdict)
        return verdict
    }
}

extension ProjectConfig.Location {
    /// What stands for the location among a visitor's; `nil` if it has no key.
    fileprivate var presenceKey: String? {
        switch entityKey.kind {
        case .null, .missing: nil
        case .text, .number, .boolean, .unusable: entityKey.lookUp.text
        }
    }
}
