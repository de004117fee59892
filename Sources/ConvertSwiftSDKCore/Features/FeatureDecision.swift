/// The features that a call found, and what is to be done about the decisions it made.
public struct FeatureDecision: Sendable {
    /// The features. For one feature: those that the visitor's variations carry, in config order of their experiences, or
    /// the disabled one. Empty if ``reason`` says why nothing was found.
    public var features: [BucketedFeature] { found.list }

    @usableFromInline var found: FoundFeatures

    /// ``effects``; `nil` without any, so that most answers hold no list.
    package let someEffects: [DecisionEffect]?

    /// Why nothing was found: rule data was missing, the visitor's id is empty, or the reference throws.
    public let reason: Decision.Reason?

    /// What is to be done, in order. A context of the SDK has done it when it answers.
    package var effects: [DecisionEffect] { someEffects ?? [] }

    /// The first of the features, taken from an answer of which nothing else is needed.
    @inlinable @inline(__always)
    package mutating func takeFirst() -> BucketedFeature? { found.takeFirst() }

    /// Whether the config does not declare the feature that was asked for.
    @inlinable package var isUndeclared: Bool { @inline(__always) get { found.isUndeclared } }

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
    @usableFromInline var first: BucketedFeature?
    /// `nil` for none.
    fileprivate var others: [BucketedFeature]?

    /// The features at `places` in the project.
    @inline(__always)
    static func at(_ places: FoundPlaces, in share: @autoclosure () -> ProjectHandle) -> FoundFeatures {
        guard let first = places.first else { return FoundFeatures() }
        let share = share()
        return FoundFeatures(
            first: .at(first, in: share), others: places.others.map { $0.map { .at($0, in: share) } })
    }

    /// Takes the first feature out of what nobody needs any more.
    @inlinable @inline(__always)
    mutating func takeFirst() -> BucketedFeature? { first.take() }

    var list: [BucketedFeature] { (first.map { [$0] } ?? []) + (others ?? []) }

    /// Whether it is the feature that the config does not declare.
    @inlinable var isUndeclared: Bool { @inline(__always) get { first?.isUndeclared ?? false } }
}

// In an extension, so that there is the initializer of the members, which copies nothing.
extension FoundFeatures {
    init(_ features: [BucketedFeature]) {
        self.init(first: features.first, others: features.count > 1 ? Array(features.dropFirst()) : nil)
    }

    init(_ feature: BucketedFeature) { self.init(first: feature, others: nil) }
}

/// The places of features of one project, in order, as ``FoundFeatures`` holds features.
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
