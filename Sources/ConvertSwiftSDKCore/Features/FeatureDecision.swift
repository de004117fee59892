/// The features that a call found, and what is to be done about the decisions it made.
public struct FeatureDecision: Sendable {
    // Four words, which pass in registers as those of a ``Decision`` do: numbers, a reference that few threads share, and one
    // that few answers have (W6).

    /// Where the first feature is.
    @usableFromInline let first: BucketedFeature.Place?

    /// Why nothing was found: rule data was missing, the visitor's id is empty, or the reference throws.
    public let reason: Decision.Reason?

    /// The project of the first feature; `nil` of one that the config does not declare.
    @usableFromInline var share: ProjectHandle?

    @usableFromInline let rest: Rest?

    /// What few answers have. Immutable, so that copies share it.
    @usableFromInline
    final class Rest: Sendable {
        /// The first feature's.
        @usableFromInline let asked: BucketedFeature.AskedKey?
        fileprivate let others: [BucketedFeature]
        /// `nil` without any.
        fileprivate let effects: [DecisionEffect]?
        @usableFromInline let hasEffects: Bool

        fileprivate init(asked: BucketedFeature.AskedKey?, others: [BucketedFeature], effects: [DecisionEffect]?) {
            self.asked = asked
            self.others = others
            self.effects = effects
            hasEffects = effects != nil
        }

        /// The rest of an answer, if there is any.
        @inline(__always)
        fileprivate static func of(
            asked: BucketedFeature.AskedKey? = nil, others: [BucketedFeature]?, effects: [DecisionEffect]?
        ) -> Rest? {
            if asked == nil && others == nil && effects == nil { return nil }
            return Rest(asked: asked, others: others ?? [], effects: effects)
        }
    }

    /// The features. For one feature: those that the visitor's variations carry, in config order of their experiences, or
    /// the disabled one. Empty if ``reason`` says why nothing was found.
    public var features: [BucketedFeature] {
        guard let first else { return [] }
        return [BucketedFeature(share: share, place: first, asked: rest?.asked)] + (rest?.others ?? [])
    }

    /// ``effects``; `nil` without any.
    var someEffects: [DecisionEffect]? { rest?.effects }

    /// What is to be done, in order. A context of the SDK has done it when it answers.
    package var effects: [DecisionEffect] { someEffects ?? [] }

    /// Whether something is to be done.
    @inlinable package var hasEffects: Bool { @inline(__always) get { rest?.hasEffects ?? false } }

    /// The first of the features, taken out of an answer that nobody reads afterwards: it would say that the feature is not
    /// declared.
    @inlinable @inline(__always)
    package mutating func takeFirst() -> BucketedFeature? {
        first.map { BucketedFeature(share: share.take(), place: $0, asked: rest?.asked) }
    }

    /// Whether the config does not declare the feature that was asked for.
    @inlinable package var isUndeclared: Bool { @inline(__always) get { first != nil && share == nil } }

    /// No features, for `reason`.
    package static func none(_ reason: Decision.Reason) -> FeatureDecision { empty(reason, effects: nil) }
}

// What a search comes to. By the initializer of the members: Swift 6.3.1 copies what another one makes, references and all.
extension FeatureDecision {
    /// No features: for `reason`, or without one because no variation carries any.
    static func empty(_ reason: Decision.Reason? = nil, effects: consuming [DecisionEffect]?) -> FeatureDecision {
        FeatureDecision(first: nil, reason: reason, share: nil, rest: .of(others: nil, effects: effects))
    }

    /// The features at `places` in the project.
    ///
    /// - Parameter asked: the first one's key, if that is not the declared one.
    @inline(__always)
    static func found(
        _ places: FoundPlaces, asked: BucketedFeature.AskedKey? = nil, in share: @autoclosure () -> ProjectHandle,
        effects: consuming [DecisionEffect]?
    ) -> FeatureDecision {
        guard let first = places.first else { return .empty(effects: effects) }
        let share = share()
        return FeatureDecision(
            first: first, reason: nil, share: share,
            rest: .of(asked: asked, others: places.others.map { $0.map { .at($0, in: share) } }, effects: effects))
    }

    /// `features`, whatever projects they are of.
    static func found(_ features: [BucketedFeature], effects: [DecisionEffect]? = nil) -> FeatureDecision {
        guard let first = features.first else { return .empty(effects: effects) }
        return FeatureDecision(
            first: first.place, reason: nil, share: first.share,
            rest: .of(
                asked: first.asked, others: features.count > 1 ? Array(features.dropFirst()) : nil,
                effects: effects))
    }
}

/// The places of features of one project, in order. Mostly there is one, which takes no list (W6).
struct FoundPlaces: Sendable {
    private(set) var first: BucketedFeature.Place?
    private(set) var others: [BucketedFeature.Place]?

    init() {}

    var isEmpty: Bool { first == nil }

    @inline(__always)
    mutating func append(_ place: BucketedFeature.Place) {
        if isEmpty { first = place } else { others.append(place) }
    }
}
