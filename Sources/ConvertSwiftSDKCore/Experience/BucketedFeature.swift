public import ConvertECMAScript

/// A feature as a visitor has it.
public struct BucketedFeature: Sendable, Equatable {
    /// Whether the visitor has it.
    public enum Status: String, Sendable, Codable {
        /// A variation that the visitor sees carries it.
        case enabled
        /// No variation that the visitor sees carries it.
        case disabled
    }

    /// The feature's id; `nil` if the config does not declare the feature that was asked for.
    public let id: String?

    /// The feature's key; `nil` if a variation carries a feature that the config does not declare.
    public let key: String?

    /// The name people gave it, if it is declared with one.
    public let name: String?

    /// Whether the visitor has it.
    public let status: Status

    /// The variables by key; `nil` if the feature is disabled or its variation brings none. The config may have `null`
    /// here.
    public let variables: JSValue?

    /// Id of the experience that carries it; `nil` if it is disabled.
    public let experienceID: String?

    /// Key of the experience that carries it; `nil` if it is disabled.
    public let experienceKey: String?

    /// Name of the experience that carries it; `nil` if it is disabled.
    public let experienceName: String?

    /// The value of a variable, cast to its declared type unless casting was switched off; `nil` if there is none.
    public subscript(variable: String) -> JSValue? { variables?.objectValue?[variable] }

    static func disabled(_ feature: Feature) -> BucketedFeature {
        BucketedFeature(
            id: feature.id.text, key: feature.key, name: feature.name, status: .disabled, variables: nil,
            experienceID: nil, experienceKey: nil, experienceName: nil)
    }

    package static func undeclared(key: String) -> BucketedFeature {
        BucketedFeature(
            id: nil, key: key, name: nil, status: .disabled, variables: nil, experienceID: nil, experienceKey: nil,
            experienceName: nil)
    }
}

/// The features that a call found, and what is to be done about the decisions it made.
public struct FeatureDecision: Sendable {
    /// The features. For one feature: those that the visitor's variations carry, in config order of their experiences, or
    /// the disabled one. Empty if ``reason`` says why nothing was found.
    public let features: [BucketedFeature]

    /// Why nothing was found: rule data was missing, the visitor's id is empty, or the reference throws.
    public let reason: Reason?

    /// What is to be done, in order. A context of the SDK has done it when it answers.
    public let effects: [DecisionEffect]

    package init(features: [BucketedFeature], reason: Reason?, effects: [DecisionEffect]) {
        self.features = features
        self.reason = reason
        self.effects = effects
    }
}
