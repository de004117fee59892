internal import ConvertECMAScript

/// What the gates of one call share, be it for one experience or for several.
struct DecisionCall: ~Copyable {
    let options: DecisionOptions
    /// Place of the environment among the project's; `nil` if no experience names it.
    let environmentPlace: Int?
    /// Whether the visitor previews a variation. Then nothing is stored or reported.
    let isPreviewing: Bool
    /// Whether the experience was asked for by its id: presence is stored under locations' ids then.
    let identifiesByID: Bool
    /// Whether audiences are asked about the context's attributes, of which verdicts are remembered.
    let goesByContext: Bool
    /// The visitor's properties in this call, if it brings any; then no verdict of the context holds.
    var attributes: Attributes?
    /// Location properties in the project's slots, made when the first experience asks.
    var location: Attributes?
    /// What is to be done about the decisions so far, but for a warning of what was given up.
    fileprivate(set) var effects: [DecisionEffect] = []
    /// What is left of the call's budget.
    var budget: CallBudget

    /// Whether a new decision is stored.
    var stores: Bool { options.isStorageEnabled && !isPreviewing }

    /// Whether a new decision is reported.
    var tracks: Bool { options.isTrackingEnabled && !isPreviewing }

    /// Adds something that is to be done.
    mutating func add(_ effect: DecisionEffect) { effects.append(effect) }
}

extension ExperienceManager {
    /// A call with `options`; the visitor's project is this one.
    @inline(__always)
    func call(
        _ options: DecisionOptions, for visitor: inout Visitor, identifiesByID: Bool
    ) -> DecisionCall {
        var place = environmentPlace
        if let environment = options.environment, !environment.isEmpty {
            place = project.environments.index(named: environment)
        }
        let hasOwnProperties = options.visitorProperties != nil || options.updatesVisitorProperties
        let attributes = hasOwnProperties ? ownAttributes(options, visitor) : nil
        return DecisionCall(
            options: options, environmentPlace: place, isPreviewing: visitor.isPreviewing,
            identifiesByID: identifiesByID, goesByContext: attributes == nil && !options.answersAudiences,
            attributes: attributes, budget: project.callBudget)
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
    func effects(of call: borrowing DecisionCall) -> [DecisionEffect] {
        guard let condition = call.budget.firstAbandoned else { return call.effects }
        return call.effects + [project.warning(about: condition)]
    }
}
