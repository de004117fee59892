/// The features that a call found, and what is to be done about the decisions it made.
public struct FeatureDecision: Sendable {
    /// The features. For one feature: those that the visitor's variations carry, in config order of their experiences, or
    /// the disabled one. Empty if ``reason`` says why nothing was found.
    public let features: [BucketedFeature]

    /// Why nothing was found: rule data was missing, the visitor's id is empty, or the reference throws.
    public let reason: Decision.Reason?

    /// What is to be done, in order. A context of the SDK has done it when it answers.
    package let effects: [DecisionEffect]

    package init(features: [BucketedFeature], reason: Decision.Reason?, effects: [DecisionEffect]) {
        self.features = features
        self.reason = reason
        self.effects = effects
    }
}
