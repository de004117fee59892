/// The features that a call found. It keeps nothing of the config.
public struct FeatureDecision: Sendable, Hashable, Codable {
    /// The features. For one feature: those that the visitor's variations carry, in config order of their experiences, or
    /// the disabled one. Empty if ``reason`` says why nothing was found.
    public let features: [BucketedFeature]

    /// Why nothing was found: rule data was missing, the visitor's id is empty, or the reference throws.
    public let reason: Decision.Reason?

    /// An answer with `features`.
    public init(features: [BucketedFeature]) {
        self.features = features
        reason = nil
    }

    /// An answer that nothing could be decided.
    public init(reason: Decision.Reason) {
        features = []
        self.reason = reason
    }
}

extension FeatureDecision: CustomStringConvertible {
    /// The features, and why there are none if nothing could be decided.
    public var description: String {
        reason.map { "FeatureDecision(nothing decided: \($0))" } ?? "FeatureDecision(\(features))"
    }
}
