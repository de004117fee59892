package import ConvertECMAScript

/// Decides which variations a visitor sees.
///
///     let manager = ExperienceManager(project: Project(config), environment: "production")
///     var visitor = manager.visitor(id: "visitor-1", attributes: ["plan": "pro"])
///     let decision = manager.selectVariation("checkout-button", for: &visitor)
///     decision.value.variation?.variationKey
///
/// Pure and synchronous: it takes values and returns values, reads no clock and does no I/O. What is to be stored or
/// reported stands in the decision's effects. Safe to share between threads; a visitor is the caller's own value.
package struct ExperienceManager: Sendable {
    /// What decisions are made on.
    package let project: Project

    /// The environment that experiences must run in, unless a call names another.
    package let environment: String

    /// Place of ``environment`` among the project's; `nil` if no experience names it.
    let environmentPlace: Int?

    /// A manager of `project`.
    package init(project: Project, environment: String = "staging") {
        self.project = project
        self.environment = environment
        environmentPlace = project.environments.index(named: environment)
    }

    /// A visitor to decide for.
    ///
    /// - Parameters:
    ///   - id: the visitor's id.
    ///   - attributes: the visitor's properties. Report segments among them (`country`, `browser`, `devices`, `source`,
    ///     `campaign`, `visitorType`, `customSegments`) leave the attributes and are merged into the stored segments.
    ///   - state: what is stored about the visitor.
    /// - Returns: the visitor. If attributes became segments, its `state` has a change to store:
    ///   ``segmentChange(in:of:)`` tells which.
    package func visitor(
        id: consuming String, attributes: consuming JSObject = JSObject(),
        state: consuming VisitorState = VisitorState()
    ) -> Visitor {
        if project.findsSegments(in: attributes) {
            let (segments, properties) = ReportSegments.split(attributes)
            if !segments.isEmpty, !state.isOnlySegments(segments) { state.apply(.segments(segments)) }
            attributes = properties
        }
        return Visitor.make(id: id, attributes: attributes, state: state, project: project)
    }

    /// The change to store that making a visitor with `attributes` implies, or `nil` if there is none.
    ///
    /// - Parameter state: what is stored about the visitor.
    package func segmentChange(in attributes: JSObject, of state: VisitorState = VisitorState()) -> VisitorStateChange?
    {
        let segments = ReportSegments.split(attributes).segments
        return segments.isEmpty || state.isOnlySegments(segments) ? nil : .segments(segments)
    }

    /// Decides one experience.
    ///
    /// - Parameters:
    ///   - key: the experience's key; of several with one key the first in the config is meant.
    ///   - visitor: the visitor; stored changes are made in its state.
    ///   - options: what this call says.
    package func selectVariation(
        _ key: String, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Answer<Decision> {
        decide(project.experience(key: key), for: &visitor, options: options, identifiesByID: false)
    }

    /// Decides one experience by its id, as ``selectVariation(_:for:options:)`` does by key.
    package func selectVariation(
        id: String, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Answer<Decision> {
        decide(project.experience(id: id), for: &visitor, options: options, identifiesByID: true)
    }

    /// Decides one experience by a key that Swift text may not hold.
    package func selectVariation(
        key: PropertyKey, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Answer<Decision> {
        decide(project.experience(key: key), for: &visitor, options: options, identifiesByID: false)
    }

    /// Decides one experience by an id that Swift text may not hold.
    package func selectVariation(
        id: PropertyKey, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Answer<Decision> {
        decide(project.experience(id: id), for: &visitor, options: options, identifiesByID: true)
    }

    @inline(__always)
    private func decide(
        _ experience: Int?, for visitor: inout Visitor, options: DecisionOptions, identifiesByID: Bool
    ) -> Answer<Decision> {
        let answer = conclude(experience, for: &visitor, options: options, identifiesByID: identifiesByID)
        return Answer(Decision(answer.value, in: project), effects: answer.effects)
    }

    /// Decides the experience at an index, `nil` for one that the config does not have, without spelling the answer out.
    @inline(__always)
    package func conclude(
        _ experience: Int?, for visitor: inout Visitor, options: DecisionOptions, identifiesByID: Bool = false
    ) -> Answer<Conclusion> {
        visitor.adopt(project)
        if let preview = visitor.preview, let experience,
            preview.isMeant(by: experience, identifiesByID: identifiesByID)
        {
            return Answer(.variation(preview.selection))
        }
        var call = call(options, for: &visitor, identifiesByID: identifiesByID)
        let conclusion = conclusion(of: experience, &visitor, &call, SilentObserver())
        return Answer(conclusion, effects: effects(of: call))
    }
}

extension ExperienceManager {
    /// What comes of the experience at `index`, `nil` if the config has none like it. The call has the effects.
    @inline(__always)
    func conclusion(
        of index: Int?, _ visitor: inout Visitor, _ call: inout DecisionCall, _ observer: some DecisionObserver
    ) -> Conclusion {
        guard !visitor.id.isEmpty else { return .none(.missingVisitorID) }
        guard let index else { return .none(.unknownExperience) }
        let experience = project.experiences[index]
        let isForced = call.options.isForcing && forcedVariation(of: experience, call.options) != nil
        if !isForced, let reason = closedGate(experience, &visitor, &call, observer) { return .none(reason) }
        return select(experience, &visitor, &call, observer)
    }

    /// The first gate that is closed to the visitor, in the reference's order. A stored decision opens permanent audiences
    /// only; it is honoured behind all gates, in ``select(_:_:_:_:)``.
    @inline(__always)
    private func closedGate(
        _ experience: ExperienceRow, _ visitor: inout Visitor, _ call: inout DecisionCall,
        _ observer: some DecisionObserver
    ) -> Decision.Reason? {
        observer.didReach(
            .archived, passed: !experience.isArchived, experience.isArchived ? "archived" : "not archived")
        if experience.isArchived { return .archived }
        guard runsHere(experience, call, observer) else { return .otherEnvironment }
        let isBucketed = storedVariation(of: experience, visitor.state) != nil
        observer.didReach(
            .storedDecision, passed: true,
            visitor.state.bucketing?[project.model(experience.index).id.key].map { stored in
                let id = ECMAScript.toString(stored)
                let key = storedVariation(of: experience, visitor.state).flatMap {
                    project.model(experience.idOwner).variations[$0].key
                }
                return "stored variation \(key.map { "\($0) (\(id))" } ?? id)"
                    + (isBucketed ? "" : ", which is not in the config")
            } ?? "none stored")
        if let reason = locationGate(experience, &visitor, &call, observer) { return reason }
        if let reason = audienceGate(experience, &visitor, &call, observer, isBucketed: isBucketed) {
            // The reference looks at segments even then.
            return reason == .audienceNotMatched && cannotReadSegments(of: experience, visitor.state)
                ? .malformedRules : reason
        }
        guard isInSegments(of: experience, visitor.state, observer) else {
            return cannotReadSegments(of: experience, visitor.state) ? .malformedRules : .segmentNotMatched
        }
        observer.didReach(
            .variations, passed: experience.variationCount > 0, "\(experience.variationCount) variations")
        return experience.variationCount == 0 ? .noVariations : nil
    }

    /// The environment that `call` asks for.
    private func name(ofAsked call: borrowing DecisionCall) -> String {
        call.options.environment.flatMap { $0.isEmpty ? nil : $0 } ?? environment
    }

    /// What to say of a list of environments, which looks as if it restricted anybody.
    private func remark(onEnvironmentsOf experience: ExperienceRow) -> String {
        let names = project.model(experience.index).environments
        if names.isEmpty { return "" }
        let list = names.prefix(5).map { $0.excerpt() }.joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        return "; 'environments' names \(list) and restricts nobody"
    }

    @inline(__always)
    private func runsHere(
        _ experience: ExperienceRow, _ call: borrowing DecisionCall, _ observer: some DecisionObserver
    ) -> Bool {
        switch experience.environment {
        case .anywhere:
            observer.didReach(
                .environment, passed: true,
                "runs anywhere, asked for \(name(ofAsked: call))\(remark(onEnvironmentsOf: experience))")
            return true
        case .only(let number):
            let place = Int(number)
            let passed = place == call.environmentPlace
            observer.didReach(
                .environment, passed: passed,
                "runs in \(project.environments.keys[place].name), asked for \(name(ofAsked: call))")
            return passed
        case .nowhere:
            observer.didReach(.environment, passed: false, "its environment is no text: it runs nowhere")
            return false
        }
    }

    /// Why a verdict on rules closes a gate; `reason` if they do not match.
    @inline(__always)
    func reason(for verdict: RuleVerdict, else reason: Decision.Reason?) -> Decision.Reason? {
        switch verdict {
        case .matched: nil
        case .notMatched: reason
        case .needMoreData: .needMoreData
        case .noDataFound: .noDataFound
        case .malformed: project.options.semantics.letsErrorsEndTheCall ? .malformedRules : reason
        }
    }
}
