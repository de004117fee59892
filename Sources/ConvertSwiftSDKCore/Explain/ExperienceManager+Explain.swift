extension ExperienceManager {
    /// Decides one experience and tells why. Nothing is stored, tracked or remembered; the verdict equals that of
    /// ``selectVariation(_:for:options:)``.
    ///
    /// - Returns: the explanation; for an unknown experience or an empty visitor id one without gates.
    public func explain(
        _ key: String, for visitor: Visitor, options: DecisionOptions = DecisionOptions()
    ) -> Explanation {
        var visitor = visitor.withoutVerdicts()
        visitor.adopt(project)
        var recorder = DecisionRecorder(program: project.program)
        let experience = project.experience(key: key)
        let decision: Decision
        if let preview = visitor.preview, let experience, preview.isMeant(by: experience, identifiesByID: false) {
            recorder.didReach(.preview, passed: true, "previewed, whatever the other gates say")
            decision = preview.decision
        } else {
            let isPreviewing = visitor.preview != nil
            let properties = options.visitorProperties.flatMap { visitor.properties(addedBy: $0) }
            decision = withUnsafePointer(to: options) { options in
                var evaluator = DecisionEvaluator.make(
                    manager: self, options: options, isPreviewing: isPreviewing, callProperties: properties)
                return evaluator.decide(experience, in: project, for: &visitor, observer: &recorder)
            }
        }
        return Explanation(
            experienceKey: key, visitorID: visitor.id, semantics: project.options.semantics,
            variation: decision.variation.map { $0.variationKey ?? $0.variationID },
            source: decision.variation?.source, reason: decision.reason.map { "\($0)" }, gates: recorder.gates,
            bucketing: recorder.bucketing)
    }
}
