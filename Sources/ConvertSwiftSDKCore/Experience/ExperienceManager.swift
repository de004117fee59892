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
        environmentPlace = project.experiences.environments.index(named: environment)
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
        return withCall(options, for: &visitor, identifiesByID: identifiesByID, SilentObserver()) { call in
            conclusion(of: experience, options, &call)
        }
    }
}
