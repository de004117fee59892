/// The features that a call found, and what is to be done about the decisions it made.
public struct FeatureDecision: Sendable {
    /// The features. For one feature: those that the visitor's variations carry, in config order of their experiences, or
    /// the disabled one. Empty if ``reason`` says why nothing was found.
    public var features: [BucketedFeature] { found.list }

    let found: FoundFeatures

    /// ``effects``; `nil` without any, so that most answers hold no list.
    let someEffects: [DecisionEffect]?

    /// Why nothing was found: rule data was missing, the visitor's id is empty, or the reference throws.
    public let reason: Decision.Reason?

    /// What is to be done, in order. A context of the SDK has done it when it answers.
    package var effects: [DecisionEffect] { someEffects ?? [] }

    /// The first of the features.
    package var first: BucketedFeature? { found.first }

    /// Whether something is to be done.
    package var hasEffects: Bool { someEffects != nil }

    /// Whether the config does not declare the feature that was asked for.
    package var isUndeclared: Bool { found.first?.isUndeclared ?? false }

    /// No features, for `reason`.
    package static func none(_ reason: Decision.Reason) -> FeatureDecision {
        FeatureDecision(found: FoundFeatures(), someEffects: nil, reason: reason)
    }

    /// What a search came to: `features`, or none for `reason`.
    // By the initializer of the members: Swift 6.3.1 copies what another one makes, references and all.
    static func found(
        _ features: consuming FoundFeatures, reason: Decision.Reason? = nil, effects: consuming [DecisionEffect]? = nil
    ) -> FeatureDecision {
        FeatureDecision(found: features, someEffects: effects, reason: reason)
    }
}

/// Features in order. Mostly there is one, which takes no list (W6).
@usableFromInline
struct FoundFeatures: Sendable {
    private(set) var first: BucketedFeature?
    /// `nil` for none.
    private var others: [BucketedFeature]?

    init() {}

    init(_ features: [BucketedFeature]) {
        first = features.first
        if features.count > 1 { others = Array(features.dropFirst()) }
    }

    init(_ feature: BucketedFeature) { first = feature }

    var list: [BucketedFeature] { (first.map { [$0] } ?? []) + (others ?? []) }

    var isEmpty: Bool {
        // Not by `==`, which copies the feature.
        if case .none = first { true } else { false }
    }

    mutating func append(_ feature: BucketedFeature) {
        if isEmpty { first = feature } else { others.append(feature) }
    }
}
