package struct OpenFeatureResolution<Value: OpenFeatureValue>: Sendable {
    package let value: Value
    package let error: OpenFeatureResolutionError?
    package let reason: OpenFeatureResolutionReason?
    package let variant: String?
    package let flagMetadata: [String: OpenFeatureFlagMetadataValue]

    package init(
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

package struct OpenFeatureResolutionError: Error, Equatable {
    package let code: Code
    package let message: String?

    package init(code: Code, message: String?) {
        self.code = code
        self.message = message
    }

    package struct Code: RawRepresentable, Sendable, Equatable {
        package static let providerNotReady = Code(rawValue: "PROVIDER_NOT_READY")
        package static let flagNotFound = Code(rawValue: "FLAG_NOT_FOUND")
        package static let typeMismatch = Code(rawValue: "TYPE_MISMATCH")
        package static let targetingKeyMissing = Code(rawValue: "TARGETING_KEY_MISSING")
        package static let invalidContext = Code(rawValue: "INVALID_CONTEXT")

        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }
}

package struct OpenFeatureResolutionReason: RawRepresentable, Sendable, Equatable {
    package static let `default` = OpenFeatureResolutionReason(rawValue: "DEFAULT")
    package static let error = OpenFeatureResolutionReason(rawValue: "ERROR")

    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}
