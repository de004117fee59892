extension ExperienceManager {
    /// Decides one experience and explains the decision. Nothing is stored, tracked or cached; the result equals that
    /// of ``selectVariation(_:for:options:)``.
    ///
    /// - Returns: the explanation. It has no gates if the experience is unknown or the visitor's id is empty.
    public func explain(
        _ key: String, for visitor: borrowing Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Explanation {
        var visitor = visitor.copy()
        // Every rule is evaluated anew.
        visitor.resolved.forgetAnswers()
        visitor.adopt(project)
        let recorder = DecisionRecorder(project, visitorID: visitor.id)
        let experience = project.experience(key: key)
        let conclusion: Conclusion
        if let preview = visitor.preview, let experience, preview.isMeant(by: experience, identifiesByID: false) {
            recorder.didReach(.preview, passed: true)
            conclusion = .variation(preview.selection)
        } else {
            conclusion =
                withCall(options, for: &visitor, identifiesByID: false, recorder) { call in
                    self.conclusion(of: experience, options, &call)
                }.value
        }
        let decision = Decision(conclusion, in: project)
        return Explanation(
            experienceKey: key, visitorID: visitor.id, semantics: project.options.semantics,
            variation: decision.variation.map { $0.variationKey ?? $0.variationID },
            source: decision.variation?.source, reason: decision.reason, gates: recorder.gates,
            bucketing: recorder.bucketing)
    }
}
