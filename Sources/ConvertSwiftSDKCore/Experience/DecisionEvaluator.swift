internal import ConvertECMAScript

/// One call's way through the gates, in the reference's order.
struct DecisionEvaluator {
    let project: CompiledProject
    let environment: String
    /// Whether a new decision is reported, and whether it is stored; neither while the visitor previews a variation.
    let isTrackingEnabled: Bool
    let isStorageEnabled: Bool
    /// The visitor's properties of this call, if it brings any; then no verdict of the context holds.
    let callAttributes: ResolvedAttributes?
    let callProperties: JSObject?
    /// Location properties in the project's slots, made when the first experience asks.
    var location: ResolvedAttributes?

    /// The caller's, because copying and freeing ten members took a sixth of a short decision.
    ///
    /// Invariant: the evaluator lives only inside the `withUnsafePointer` call that lent them.
    private let lentOptions: UnsafePointer<DecisionOptions>

    var options: DecisionOptions { _read { yield lentOptions.pointee } }

    var semantics: RuleSemantics { project.options.semantics }

    init(manager: ExperienceManager, options lentOptions: UnsafePointer<DecisionOptions>, visitor: borrowing Visitor) {
        project = manager.project
        self.lentOptions = lentOptions
        isTrackingEnabled = lentOptions.pointee.isTrackingEnabled && visitor.preview == nil
        isStorageEnabled = lentOptions.pointee.isStorageEnabled && visitor.preview == nil
        if let environment = lentOptions.pointee.environment, !environment.isEmpty {
            self.environment = environment
        } else {
            environment = manager.environment
        }
        if let properties = lentOptions.pointee.visitorProperties, !properties.isEmpty {
            let merged = visitor.merging(properties)
            callProperties = merged
            callAttributes = ResolvedAttributes(merged, in: project.program.attributes)
        } else {
            callProperties = nil
            callAttributes = nil
        }
    }

    /// Decides one experience, `nil` if the config has none like it.
    mutating func decide<Observer: DecisionObserver>(
        _ experience: CompiledExperience?, for visitor: inout Visitor, observer: inout Observer
    ) -> Decision {
        guard !visitor.id.isEmpty else { return Decision(outcome: .none(.missingVisitorID), effects: []) }
        guard let experience else { return Decision(outcome: .none(.unknownExperience), effects: []) }
        var effects: [DecisionEffect] = []
        let reason = closedGate(to: experience, for: &visitor, effects: &effects, observer: &observer)
        if let reason { return Decision(outcome: .none(reason), effects: effects) }
        return select(experience, for: &visitor, effects: effects, observer: &observer)
    }

    mutating func closedGate<Observer: DecisionObserver>(
        to experience: CompiledExperience, for visitor: inout Visitor, effects: inout [DecisionEffect],
        observer: inout Observer
    ) -> Reason? {
        observer.didReach(
            .archived, passed: !experience.isArchived, experience.isArchived ? "archived" : "not archived")
        if experience.isArchived { return .archived }
        guard runsHere(experience, &observer) else { return .otherEnvironment }
        let isBucketed = storedVariation(of: experience, in: visitor.state) != nil
        observer.didReach(
            .storedDecision, passed: true,
            visitor.state.bucketing?[experience.model.id.key].map { stored in
                "stored variation \(ECMAScript.toString(stored))" + (isBucketed ? "" : ", which is not in the config")
            } ?? "none stored")
        if let reason = locationReason(experience, &visitor, &effects, &observer) { return reason }
        if let reason = audienceReason(experience, &visitor, isBucketed, &observer) { return reason }
        guard isInSegments(of: experience, visitor.state, &observer) else { return .segmentNotMatched }
        observer.didReach(
            .variations, passed: !experience.model.variations.isEmpty, "\(experience.model.variations.count) variations"
        )
        return experience.model.variations.isEmpty ? .noVariations : nil
    }

    func runsHere<Observer: DecisionObserver>(
        _ experience: CompiledExperience, _ observer: inout Observer
    ) -> Bool {
        switch experience.environment {
        case .anywhere:
            observer.didReach(.environment, passed: true, "runs anywhere, asked for \(environment)")
            return true
        case .only(let name):
            let passed = name.hasSameCodeUnits(as: environment)
            observer.didReach(.environment, passed: passed, "runs in \(name), asked for \(environment)")
            return passed
        case .nowhere:
            observer.didReach(.environment, passed: false, "its environment is no text: it runs nowhere")
            return false
        }
    }

    /// Index of the variation that is stored for the experience, if the config still has it.
    func storedVariation(of experience: CompiledExperience, in state: VisitorState) -> Int? {
        guard let stored = state.bucketing?[experience.model.id.key], stored.isTruthy else { return nil }
        return indexOfVariation(ECMAScript.toString(stored), of: experience)
    }

    func indexOfVariation(_ id: String, of experience: CompiledExperience) -> Int? {
        project.experiences[experience.idOwner].variation(id: id, numericIDs: semantics.findsNumericVariationIDs)
    }

    func reason(_ verdict: RuleVerdict, else reason: Reason?) -> Reason? {
        switch verdict {
        case .matched: nil
        case .notMatched: reason
        case .needMoreData: .needMoreData
        case .noDataFound: .noDataFound
        case .malformed: semantics.letsErrorsEndTheCall ? .malformedRules : reason
        }
    }
}
