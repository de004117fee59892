internal import ConvertECMAScript

/// What the gates of one call share, be it for one experience or for several. The call's options are handed on beside it,
/// because a copy of them counts a dozen references (W1).
struct DecisionCall<Observer: DecisionObserver>: ~Copyable {
    /// The visitor, whom the caller gets back when the call ends.
    var visitor: Visitor
    /// Sees every step.
    let observer: Observer
    /// Place of the environment among the project's; `nil` if no experience names it.
    let environmentPlace: Int?
    /// Whether the experience was asked for by its id: presence is stored under locations' ids then.
    let identifiesByID: Bool
    /// Whether audiences are asked about the context's attributes, of which verdicts are remembered.
    let goesByContext: Bool
    /// Whether a new decision is stored; not in a preview.
    let stores: Bool
    /// Whether a new decision is reported; not in a preview.
    let tracks: Bool
    /// The visitor's properties in this call, if it brings any; then no verdict of the context holds.
    var attributes: Attributes?
    /// Location properties in the project's slots, made when the first experience asks.
    var location: Attributes?
    /// What is to be done about the decisions so far, but for a warning of what was given up.
    private(set) var effects: [DecisionEffect] = []
    /// What is left of the call's budget.
    var budget: CallBudget

    /// Adds something that is to be done.
    mutating func add(_ effect: DecisionEffect) { effects.append(effect) }

    /// Makes a change of the visitor's record, and adds that it is to be stored.
    mutating func store(_ change: VisitorStateChange, in project: Project) {
        visitor.apply(change, in: project)
        effects.append(.store(change))
    }
}

extension ExperienceManager {
    /// Runs `body` on a call with `options`; the visitor's project is this one.
    ///
    /// - Returns: the result of `body`, with what is to be done about the decisions.
    @inline(__always)
    func withCall<Observer: DecisionObserver, Result: Sendable>(
        _ options: DecisionOptions, for visitor: inout Visitor, identifiesByID: Bool, _ observer: Observer,
        _ body: (inout DecisionCall<Observer>) -> Result
    ) -> Answer<Result> {
        var place = environmentPlace
        if let environment = options.environment, !environment.isEmpty {
            place = project.experiences.environments.index(named: environment)
        }
        let hasOwnProperties = options.visitorProperties != nil || options.updatesVisitorProperties
        let attributes = hasOwnProperties ? ownAttributes(options, visitor) : nil
        let isPreviewing = visitor.isPreviewing
        var call = DecisionCall(
            visitor: visitor, observer: observer, environmentPlace: place, identifiesByID: identifiesByID,
            goesByContext: attributes == nil && !options.hasVisitorData,
            stores: options.isStorageEnabled && !isPreviewing, tracks: options.isTrackingEnabled && !isPreviewing,
            attributes: attributes, budget: project.callBudget)
        let result = body(&call)
        let effects = effects(of: call)
        visitor = call.visitor
        return Answer(result, effects: effects)
    }

    /// What a call goes by that brings properties, or stores those that the visitor has: what its first decision stores is not
    /// to change what the others go by.
    // Apart: few calls do, and the others need not count references for it (W1).
    @inline(never)
    private func ownAttributes(_ options: DecisionOptions, _ visitor: borrowing Visitor) -> Attributes? {
        let properties = options.visitorProperties.flatMap { visitor.properties(addedBy: $0) }
        if let properties { return Attributes(properties, in: project.program) }
        return options.updatesVisitorProperties ? Attributes(visitor.merging(JSObject()), in: project.program) : nil
    }

    /// What is to be done about the decisions of `call`, with a warning of the first condition that was given up.
    @inline(__always)
    private func effects(of call: borrowing DecisionCall<some DecisionObserver>) -> [DecisionEffect] {
        guard let condition = call.budget.firstAbandoned else { return call.effects }
        return call.effects + [project.warning(about: condition)]
    }
}
