/// What was decided for a visitor in one experience, and what is to be done about it.
public struct Decision: Sendable {
    /// The variation, or why there is none.
    public enum Outcome: Sendable {
        /// The visitor sees a variation.
        case variation(BucketedVariation)
        /// The visitor sees no variation.
        case none(Reason)
    }

    /// The variation, or why there is none.
    public let outcome: Outcome

    // Set by the initializer of the members: Swift 6.3.1 copies what another one makes, references and all.
    /// ``effects``; `nil` without any, so that most decisions hold no list.
    var someEffects: [DecisionEffect]?

    /// What is to be done, in order. The visitor's state has the stored changes already.
    package internal(set) var effects: [DecisionEffect] {
        get { someEffects ?? [] }
        set { someEffects = newValue.isEmpty ? nil : newValue }
    }

    /// Whether something is to be done.
    package var hasEffects: Bool { someEffects != nil }

    /// A decision for nobody and nothing.
    package static func none(_ reason: Reason) -> Decision { Decision(outcome: .none(reason)) }

    /// The variation, or `nil` if there is none.
    public var variation: BucketedVariation? {
        if case .variation(let variation) = outcome { variation } else { nil }
    }

    /// Why there is no variation, or `nil` if there is one.
    @inline(never)
    public var reason: Reason? {
        // Inlined into one function with `variation`, it makes the optimizer of Swift 6.3.1 crash, also in modules that
        // import this one.
        if case .none(let reason) = outcome { reason } else { nil }
    }
}
