internal import ConvertECMAScript

/// One call's way through the gates, in the reference's order.
struct DecisionEvaluator {
    /// Place of the environment among the project's; `nil` if no experience names it.
    private let environmentPlace: Int?
    /// Whether a new decision is reported, and whether it is stored; neither while the visitor previews a variation.
    let isTrackingEnabled: Bool
    let isStorageEnabled: Bool
    /// Whether rule data answers audiences, or locations. Told once, since a look at the data copies them.
    let hasVisitorData: Bool
    let hasLocationData: Bool
    /// The visitor's properties of this call, if it brings any; then no verdict of the context holds.
    let callAttributes: ResolvedAttributes?
    let callProperties: JSObject?
    /// Location properties in the project's slots, made when the first experience asks.
    var location: ResolvedAttributes?

    /// The caller's, because copying and freeing ten members took a sixth of a short decision, and because threads that
    /// count references of one project wait for each other.
    ///
    /// Invariant: the evaluator lives only inside the ``lend(_:_:visitor:to:)`` call that lent them.
    private let lentManager: UnsafePointer<ExperienceManager>
    private let lentOptions: UnsafePointer<DecisionOptions>

    var options: DecisionOptions { _read { yield lentOptions.pointee } }

    var project: CompiledProject { _read { yield lentManager.pointee.project } }

    var semantics: RuleSemantics { project.options.semantics }

    /// The environment to decide in.
    var environment: String {
        if let environment = options.environment, !environment.isEmpty { environment } else { lentManager.pointee.environment }
    }

    /// Lends `manager` and `options` to an evaluator that `body` uses.
    @inline(__always)
    static func lend<Result>(
        _ manager: ExperienceManager, _ options: DecisionOptions, visitor: borrowing Visitor,
        to body: (inout DecisionEvaluator) -> Result
    ) -> Result {
        withUnsafePointer(to: manager) { manager in
            withUnsafePointer(to: options) { options in
                var evaluator = DecisionEvaluator(manager, options, visitor: visitor)
                return body(&evaluator)
            }
        }
    }

    private init(
        _ lentManager: UnsafePointer<ExperienceManager>, _ lentOptions: UnsafePointer<DecisionOptions>,
        visitor: borrowing Visitor
    ) {
        self.lentManager = lentManager
        self.lentOptions = lentOptions
        let project = lentManager.pointee.project
        let isPreviewing = visitor.preview != nil
        isTrackingEnabled = lentOptions.pointee.isTrackingEnabled && !isPreviewing
        isStorageEnabled = lentOptions.pointee.isStorageEnabled && !isPreviewing
        hasVisitorData = lentOptions.pointee.visitorData != nil
        hasLocationData = lentOptions.pointee.locationData != nil
        if let environment = lentOptions.pointee.environment, !environment.isEmpty {
            environmentPlace = project.environments.index(of: PropertyKey(environment))
        } else {
            environmentPlace = lentManager.pointee.environmentPlace
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

    /// Decides the experience at `index`, `nil` if the config has none like it.
    mutating func decide<Observer: DecisionObserver>(
        _ index: Int?, for visitor: inout Visitor, observer: inout Observer
    ) -> Decision {
        guard !visitor.id.isEmpty else { return Decision(outcome: .none(.missingVisitorID), effects: []) }
        guard let index else { return Decision(outcome: .none(.unknownExperience), effects: []) }
        let experience = project.experiences[index]
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
            visitor.state.bucketing?[project.model(experience.index).id.key].map { stored in
                "stored variation \(ECMAScript.toString(stored))" + (isBucketed ? "" : ", which is not in the config")
            } ?? "none stored")
        if let reason = locationReason(experience, &visitor, &effects, &observer) { return reason }
        if let reason = audienceReason(experience, &visitor, isBucketed, &observer) { return reason }
        guard isInSegments(of: experience, visitor.state, &observer) else { return .segmentNotMatched }
        observer.didReach(
            .variations, passed: experience.variationCount > 0, "\(experience.variationCount) variations")
        return experience.variationCount == 0 ? .noVariations : nil
    }

    func runsHere<Observer: DecisionObserver>(
        _ experience: CompiledExperience, _ observer: inout Observer
    ) -> Bool {
        switch experience.environment {
        case .anywhere:
            observer.didReach(.environment, passed: true, "runs anywhere, asked for \(environment)")
            return true
        case .only(let place):
            let passed = place == environmentPlace
            observer.didReach(
                .environment, passed: passed,
                "runs in \(project.environments.keys[place].name), asked for \(environment)")
            return passed
        case .nowhere:
            observer.didReach(.environment, passed: false, "its environment is no text: it runs nowhere")
            return false
        }
    }

    /// Index of the variation that is stored for the experience, if the config still has it.
    func storedVariation(of experience: CompiledExperience, in state: VisitorState) -> Int? {
        guard let bucketing = state.bucketing, let stored = bucketing[project.model(experience.index).id.key],
            stored.isTruthy
        else { return nil }
        return indexOfVariation(ECMAScript.toString(stored), of: experience)
    }

    func indexOfVariation(_ id: String, of experience: CompiledExperience) -> Int? {
        project.model(experience.idOwner).variation(id: id, numericIDs: semantics.findsNumericVariationIDs)
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
