/// The features that a call found. The value keeps no reference to the config.
public struct FeatureDecision: Sendable, Hashable, Codable {
    /// The features. A call for one feature returns the feature once for each of the visitor's variations that carry
    /// it, in config order of their experiences, or once as disabled. Empty if there is a ``reason``.
    public let features: [BucketedFeature]

    /// Why nothing was found, for example because rule data was missing, the visitor's id is empty, or the JavaScript
    /// SDK throws; `nil` if there was no problem.
    public let reason: Decision.Reason?

    /// Creates a decision with `features`.
    public init(features: [BucketedFeature]) {
        self.features = features
        reason = nil
    }

    /// Creates a decision without features, because of `reason`.
    public init(reason: Decision.Reason) {
        features = []
        self.reason = reason
    }
}

extension FeatureDecision: CustomStringConvertible {
    /// The features, or the reason why nothing was found.
    public var description: String {
        reason.map { "FeatureDecision(nothing decided: \($0))" } ?? "FeatureDecision(\(features))"
    }
}
