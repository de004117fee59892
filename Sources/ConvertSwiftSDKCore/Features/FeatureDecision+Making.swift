extension FeatureDecision {
    /// Features that were found, for code that is tested without an SDK.
    public init(features: [BucketedFeature]) { self = .found(features) }

    /// No features, for code that is tested without an SDK.
    public init(reason: Decision.Reason) { self = .none(reason) }
}
