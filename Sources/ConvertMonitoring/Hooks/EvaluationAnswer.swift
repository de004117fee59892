public import ConvertSwiftSDKCore

/// What a hook sees of an answer.
public enum EvaluationAnswer: Sendable {
    /// The decision of an experience.
    case decision(Decision)
    /// The feature, from the first experience that carries it.
    case feature(BucketedFeature)

    /// The variation's key, or else its id; whether a feature is `enabled` or `disabled`; `nil` without a variation.
    public var variant: String? {
        switch self {
        case .decision(let decision): decision.variation.map { $0.variationKey ?? $0.variationID }
        case .feature(let feature): feature.status.rawValue
        }
    }

    /// Why it is so, in a word: where a decision came from (`bucketed`, `stored`, `forced`, `preview`), why there is no
    /// variation (`audienceNotMatched`), or why a feature is off (`notGiven`).
    public var reason: String {
        switch self {
        case .decision(let decision):
            decision.variation?.source.rawValue ?? decision.reason?.rawValue ?? "unknown"
        case .feature(let feature): feature.disabledReason?.rawValue ?? "given"
        }
    }
}
