internal import ConvertECMAScript

/// One call's way through the gates, in the reference's order.
///
/// It holds no reference to the project: who decides hands it to every step, since threads that count references of one
/// project wait for each other.
struct DecisionEvaluator {
    /// Place of the environment among the project's; `nil` if no experience names it.
    private let environmentPlace: Int?
    /// Whether a new decision is reported, and whether it is stored; neither while the visitor previews a variation.
    let isTrackingEnabled: Bool
    let isStorageEnabled: Bool
    let isPreviewing: Bool
    /// Whether the experience was asked for by its id: presence is stored under locations' ids then.
    let identifiesByID: Bool
    /// The visitor's properties of this call, if it brings any; then no verdict of the context holds.
    var callAttributes: Attributes?
    /// Location properties in the project's slots, made when the first experience asks.
    var location: Attributes?

    /// The caller's, because copying and freeing ten members took a sixth of a short decision.
    ///
    /// Invariant: the evaluator lives only inside the `withUnsafePointer` call that lent them.
    private let lentOptions: UnsafePointer<DecisionOptions>

    /// The manager's, because holding it would count a reference that all threads share.
    ///
    /// Invariant: as that of `lentOptions`, since the manager lent those.
    private let managerStorage: Unmanaged<ManagerStorage>

    /// What a decision is to hold of the project.
    var share: ProjectHandle { managerStorage._withUnsafeGuaranteedRef { $0.currentShare } }

    var options: DecisionOptions { _read { yield lentOptions.pointee } }

    var environment: String {
        if let environment = options.environment, !environment.isEmpty { return environment }
        return managerStorage._withUnsafeGuaranteedRef { $0.environment }
    }

    /// - Parameter callProperties: what ``Visitor/properties(addedBy:)`` says; not the visitor, who changes while one decides.
    static func make(
        manager: borrowing ExperienceManager, options: UnsafePointer<DecisionOptions>, isPreviewing: Bool,
        identifiesByID: Bool = false, callProperties: consuming JSObject?
    ) -> DecisionEvaluator {
        let place: Int?
        if let environment = options.pointee.environment, !environment.isEmpty {
            place = manager.project.environments.index(named: environment)
        } else {
            place = manager.storage.environmentPlace
        }
        let program = manager.project.program
        return DecisionEvaluator(
            environmentPlace: place, isTrackingEnabled: options.pointee.isTrackingEnabled && !isPreviewing,
            isStorageEnabled: options.pointee.isStorageEnabled && !isPreviewing, isPreviewing: isPreviewing,
            identifiesByID: identifiesByID,
            callAttributes: callProperties.map { Attributes($0, in: program) }, location: nil,
            lentOptions: options, managerStorage: .passUnretained(manager.storage))
    }

    /// Decides the experience at `index`, `nil` if the config has none like it.
    mutating func decide<Observer: DecisionObserver>(
        _ index: Int?, in project: Project, for visitor: inout Visitor, observer: inout Observer
    ) -> Decision {
        guard !visitor.id.isEmpty else { return Decision(outcome: .none(.missingVisitorID), effects: []) }
        guard let index else { return Decision(outcome: .none(.unknownExperience), effects: []) }
        let experience = project.experiences[index]
        var effects: [DecisionEffect] = []
        if options.isForcing, forcedVariation(of: experience, project) != nil {
            return select(experience, in: project, for: &visitor, effects: effects, observer: &observer)
        }
        let reason = closedGate(
            to: experience, in: project, for: &visitor, effects: &effects, observer: &observer)
        if let reason { return Decision(outcome: .none(reason), effects: effects) }
        return select(experience, in: project, for: &visitor, effects: effects, observer: &observer)
    }

    mutating func closedGate<Observer: DecisionObserver>(
        to experience: ExperienceRow, in project: Project, for visitor: inout Visitor,
        effects: inout [DecisionEffect], observer: inout Observer
    ) -> Decision.Reason? {
        observer.didReach(
            .archived, passed: !experience.isArchived, experience.isArchived ? "archived" : "not archived")
        if experience.isArchived { return .archived }
        guard runsHere(experience, project, &observer) else { return .otherEnvironment }
        let isBucketed = storedVariation(of: experience, in: visitor.state, project) != nil
        observer.didReach(
            .storedDecision, passed: true,
            visitor.state.bucketing?[project.model(experience.index).id.key].map { stored in
                "stored variation \(ECMAScript.toString(stored))" + (isBucketed ? "" : ", which is not in the config")
            } ?? "none stored")
        if let reason = locationReason(experience, project, &visitor, &effects, &observer) { return reason }
        if let reason = audienceReason(experience, project, &visitor, isBucketed, &observer) { return reason }
        guard isInSegments(of: experience, project, visitor.state, &observer) else { return .segmentNotMatched }
        observer.didReach(
            .variations, passed: experience.variationCount > 0, "\(experience.variationCount) variations")
        return experience.variationCount == 0 ? .noVariations : nil
    }

    func runsHere<Observer: DecisionObserver>(
        _ experience: ExperienceRow, _ project: Project, _ observer: inout Observer
    ) -> Bool {
        switch experience.environment {
        case .anywhere:
            observer.didReach(.environment, passed: true, "runs anywhere, asked for \(environment)")
            return true
        case .only(let number):
            let place = Int(number)
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
    @inline(__always)
    func storedVariation(
        of experience: ExperienceRow, in state: VisitorState, _ project: Project
    ) -> Int? {
        state.isUntouched ? nil : knownVariation(of: experience, in: state, project)
    }

    private func knownVariation(
        of experience: ExperienceRow, in state: VisitorState, _ project: Project
    ) -> Int? {
        guard let bucketing = state.bucketing, let stored = bucketing[project.model(experience.index).id.key],
            stored.isTruthy
        else { return nil }
        return indexOfVariation(ECMAScript.toString(stored), of: experience, project)
    }

    func indexOfVariation(_ id: String, of experience: ExperienceRow, _ project: Project) -> Int? {
        project.model(experience.idOwner).variation(
            id: id, numericIDs: project.options.semantics.findsNumericVariationIDs)
    }

    @inline(__always)
    func reason(_ verdict: RuleVerdict, else reason: Decision.Reason?, _ semantics: RuleSemantics) -> Decision.Reason? {
        switch verdict {
        case .matched: nil
        case .notMatched: reason
        case .needMoreData: .needMoreData
        case .noDataFound: .noDataFound
        case .malformed: semantics.letsErrorsEndTheCall ? .malformedRules : reason
        }
    }
}
