public import ConvertSwiftSDKCore

/// The answer that a hook receives.
public enum EvaluationAnswer: Sendable {
    /// The decision for an experience.
    case decision(Decision)
    /// A feature, from the first experience that carries it.
    case feature(BucketedFeature)

    /// The variation's key, or its id if it has no key; `nil` without a variation. For a feature, `enabled` or
    /// `disabled`.
    public var variant: String? {
        switch self {
        case .decision(let decision): decision.variation.map { $0.variationKey ?? $0.variationID }
        case .feature(let feature): feature.status.rawValue
        }
    }

    /// The reason in one word: the decision's source (`bucketed`, `stored`, `forced`, `preview`), the reason for no
    /// variation (`audienceNotMatched`), `given`, or the reason why a feature is disabled (`notGiven`).
    public var reason: String {
        switch self {
        case .decision(let decision):
            decision.variation?.source.rawValue ?? decision.reason?.rawValue ?? "unknown"
        case .feature(let feature): feature.disabledReason?.rawValue ?? "given"
        }
    }
}
