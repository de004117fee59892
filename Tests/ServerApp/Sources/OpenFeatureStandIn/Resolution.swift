/// The answer to a question for a flag.
public struct OpenFeatureResolution<Value: OpenFeatureValue>: Sendable {
    /// The flag's value, or the default.
    public let value: Value
    /// Why there is no value.
    public let error: OpenFeatureResolutionError?
    /// How the value came about.
    public let reason: OpenFeatureResolutionReason?
    /// The name of the value.
    public let variant: String?
    /// Facts about the flag.
    public let flagMetadata: [String: OpenFeatureFlagMetadataValue]

    /// Creates a value from its parts.
    public init(
        value: Value, error: OpenFeatureResolutionError? = nil, reason: OpenFeatureResolutionReason? = nil,
        variant: String? = nil, flagMetadata: [String: OpenFeatureFlagMetadataValue] = [:]
    ) {
        self.value = value
        self.error = error
        self.reason = reason
        self.variant = variant
        self.flagMetadata = flagMetadata
    }
}

extension OpenFeatureResolution: Equatable where Value: Equatable {}

/// Why a flag has no value.
public struct OpenFeatureResolutionError: Error, Equatable {
    /// The error's code.
    public let code: Code
    /// The error in words.
    public let message: String?

    /// Creates a value from its parts.
    public init(code: Code, message: String?) {
        self.code = code
        self.message = message
    }

    /// The code of an error.
    public struct Code: RawRepresentable, Sendable, Equatable {
        /// The provider is not ready.
        public static let providerNotReady = Code(rawValue: "PROVIDER_NOT_READY")
        /// The flag is unknown.
        public static let flagNotFound = Code(rawValue: "FLAG_NOT_FOUND")
        /// The value has another type.
        public static let typeMismatch = Code(rawValue: "TYPE_MISMATCH")
        /// The context has no targeting key.
        public static let targetingKeyMissing = Code(rawValue: "TARGETING_KEY_MISSING")
        /// The context is invalid.
        public static let invalidContext = Code(rawValue: "INVALID_CONTEXT")

        /// The word that OpenFeature has for it.
        public let rawValue: String

        /// Creates a value from OpenFeature's word.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

/// How a value came about.
public struct OpenFeatureResolutionReason: RawRepresentable, Sendable, Equatable {
    /// The default is in use.
    public static let `default` = OpenFeatureResolutionReason(rawValue: "DEFAULT")
    /// The evaluation failed.
    public static let error = OpenFeatureResolutionReason(rawValue: "ERROR")

    /// The word that OpenFeature has for it.
    public let rawValue: String

    /// Creates a value from OpenFeature's word.
    public init(rawValue: String) { self.rawValue = rawValue }
}
