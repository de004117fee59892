package import ConvertECMAScript

/// Decides which variations a visitor sees.
///
///     let manager = ExperienceManager(project: Project(config), environment: "production")
///     var visitor = manager.visitor(id: "visitor-1", attributes: ["plan": "pro"])
///     let decision = manager.selectVariation("checkout-button", for: &visitor)
///     decision.value.variation?.variationKey
///
/// Pure and synchronous: the manager takes and returns values, reads no clock and does no I/O. A decision's effects say
/// what to store and report. Safe to share between threads; the caller owns each visitor value.
package struct ExperienceManager: Sendable {
    package let project: Project

    /// The environment that decisions use, unless a call names another one.
    package let environment: String

    /// Index of ``environment`` in the project; `nil` if no experience names it.
    let environmentPlace: Int?

    package init(project: Project, environment: String = ProjectConfig.defaultEnvironment) {
        self.project = project
        self.environment = environment
        environmentPlace = project.experiences.environments.index(named: environment)
    }

    /// Creates a visitor to decide for.
    ///
    /// Report segments among the attributes (`country`, `browser`, `devices`, `source`, `campaign`, `visitorType`,
    /// `customSegments`) are merged into the stored segments instead. The visitor's `state` then contains a change that
    /// is not stored yet; ``segmentChange(in:of:)`` returns it.
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

    /// The change to store because of report segments in `attributes`, or `nil` if there is no change.
    package func segmentChange(in attributes: JSObject, of state: VisitorState = VisitorState()) -> VisitorStateChange?
    {
        let segments = ReportSegments.split(attributes).segments
        return segments.isEmpty || state.isOnlySegments(segments) ? nil : .segments(segments)
    }

    /// Decides one experience: the first in the config with the key. Changes to store are applied to the visitor's
    /// state.
    package func selectVariation(
        _ key: String, for visitor: inout Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Answer<Decision> {
        decide(project.experience(key: key), for: &visitor, options: options, identifiesByID: false)
    }

    /// Decides one experience like ``selectVariation(_:for:options:)``, but looks it up by its id.
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

    /// Decides the experience at an index, and returns the compact conclusion. A `nil` index means that the config does
    /// not have the experience.
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
