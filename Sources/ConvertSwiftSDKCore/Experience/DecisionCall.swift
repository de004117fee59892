internal import ConvertECMAScript

/// The state that the gates of one call share. A call decides one experience or several.
// Keep the call's options out of it: copying them is slow, because it counts a dozen references (W1).
struct DecisionCall<Observer: DecisionObserver>: ~Copyable {
    /// The visitor, which belongs to the caller.
    // Keep it borrowed: moving it copies a hundred bytes twice (W1).
    let visitor: BorrowedValue<Visitor>
    let observer: Observer
    /// Index of the environment in the project; `nil` if no experience names it.
    let environmentPlace: Int?
    /// Whether the experience was requested by its id. If so, presence is stored under the ids of the locations.
    let identifiesByID: Bool
    /// Whether audiences are evaluated against the context's attributes, whose verdicts are cached.
    let goesByContext: Bool
    /// Whether new decisions are stored; `false` in a preview.
    let stores: Bool
    /// Whether new decisions are reported; `false` in a preview.
    let tracks: Bool
    /// The visitor's properties, if the call has properties of its own. The context's cached verdicts do not apply to
    /// them.
    var attributes: Attributes?
    /// Location properties in the project's slots, created when the first experience needs them.
    var location: Attributes?
    /// The effects of the decisions so far.
    var effects: [DecisionEffect] = []
    var budget: CallBudget

    /// Applies a change to the visitor's record, and adds the effect that stores it.
    mutating func store(_ change: VisitorStateChange, in project: Project) {
        visitor.value.apply(change, in: project)
        effects.append(.store(change))
    }
}

extension ExperienceManager {
    /// Runs `body` on a call with `options`. The visitor must be bound to this project.
    ///
    /// - Returns: the result of `body`, with the effects of the decisions.
    @inline(__always)
    func withCall<Observer: DecisionObserver, Result: Sendable>(
        _ options: DecisionOptions, for visitor: inout Visitor, identifiesByID: Bool, _ observer: Observer,
        _ body: (inout DecisionCall<Observer>) -> Result
    ) -> Answer<Result> {
        var place = environmentPlace
        if let environment = options.environment, !environment.isEmpty {
            place = project.experiences.environments.index(named: environment)
        }
        return withBorrowedValue(&visitor) { visitor in
            let hasOwnProperties = options.visitorProperties != nil || options.updatesVisitorProperties
            let attributes = hasOwnProperties ? ownAttributes(options, visitor.value) : nil
            let isPreviewing = visitor.value.isPreviewing
            var call = DecisionCall(
                visitor: visitor, observer: observer, environmentPlace: place, identifiesByID: identifiesByID,
                goesByContext: attributes == nil && !options.hasVisitorData,
                stores: options.isStorageEnabled && !isPreviewing, tracks: options.isTrackingEnabled && !isPreviewing,
                attributes: attributes, budget: project.callBudget)
            let result = body(&call)
            if let condition = call.budget.firstAbandoned { call.effects.append(project.warning(about: condition)) }
            return Answer(result, effects: call.effects)
        }
    }

    /// The properties that a call evaluates instead of the context's attributes: if the call has properties of its own,
    /// or if it stores the visitor's properties. In that case the properties are fixed at the start, so that storing
    /// them does not change the call's later decisions.
    // Keep it out of line: few calls need these properties, and inlined it slows down all others (W1).
    @inline(never)
    private func ownAttributes(_ options: DecisionOptions, _ visitor: borrowing Visitor) -> Attributes? {
        let added = options.visitorProperties ?? JSObject()
        if added.isEmpty, !options.updatesVisitorProperties { return nil }
        return Attributes(visitor.merging(added), in: project.program)
    }
}
