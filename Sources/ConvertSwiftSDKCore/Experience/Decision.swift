/// What was decided for a visitor in one experience, and what is to be done about it.
public struct Decision: Sendable {
    /// The variation, or why there is none.
    public enum Outcome: Sendable {
        /// The visitor sees a variation.
        case variation(BucketedVariation)
        /// The visitor sees no variation.
        case none(Reason)
    }

    /// What was concluded, and the project that it is about, if it is about a variation.
    // Numbers and a reference: the members of a variation would be copied and freed as an optional of its own (W1, W2).
    @usableFromInline let conclusion: Conclusion
    @usableFromInline var share: ProjectHandle?

    // Set by the initializer of the members: Swift 6.3.1 copies what another one makes, references and all.
    /// ``effects``; `nil` without any, so that most decisions hold no list.
    package internal(set) var someEffects: [DecisionEffect]?

    /// What is to be done, in order. The visitor's state has the stored changes already.
    package internal(set) var effects: [DecisionEffect] {
        get { someEffects ?? [] }
        set { someEffects = newValue.isEmpty ? nil : newValue }
    }

    /// A decision for nobody and nothing.
    package static func none(_ reason: Reason) -> Decision { Decision(conclusion: .none(reason), share: nil) }

    /// The variation, or why there is none.
    public var outcome: Outcome {
        switch conclusion {
        case .none(let reason): .none(reason)
        // It has a share.
        case .variation: variation.map { .variation($0) } ?? .none(.variationNotFound)
        }
    }

    /// The variation, or `nil` if there is none.
    public var variation: BucketedVariation? {
        guard let share, case .variation(let selection) = conclusion else { return nil }
        return BucketedVariation(selection, share: share)
    }

    /// The variation, taken out of a decision that nobody reads afterwards: it would have neither a variation nor a reason.
    @inlinable @inline(__always)
    package mutating func takeVariation() -> BucketedVariation? {
        guard case .variation(let selection) = conclusion, let share = share.take() else { return nil }
        return BucketedVariation(selection, share: share)
    }

    /// Why there is no variation, or `nil` if there is one.
    public var reason: Reason? {
        if case .none(let reason) = conclusion { reason } else { nil }
    }
}

extension BucketedVariation {
    /// A decision for this variation, without effects.
    var decision: Decision { Decision(conclusion: .variation(selection), share: share) }
}
