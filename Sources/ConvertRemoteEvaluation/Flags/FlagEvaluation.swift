public import ConvertECMAScript

/// The evaluation of a flag for a visitor.
///
/// A value type without references to the config; safe to share between threads.
public struct FlagEvaluation: Sendable, Equatable {
    /// Why a flag has its value: the reasons that OFREP 0.3.0 allows.
    public enum Reason: String, Sendable, Hashable {
        /// The value was set for this visitor: by a forced variation, or a preview.
        case `static` = "STATIC"
        /// The visitor meets the rules, and the experience has one variation for all visitors.
        case targetingMatch = "TARGETING_MATCH"
        /// The visitor's share of the traffic decided, now or earlier.
        case split = "SPLIT"
        /// The experience is archived.
        case disabled = "DISABLED"
        /// The visitor sees no variation.
        case unknown = "UNKNOWN"
    }

    /// The value: a Boolean, a string, a number or an object. `nil` if the client should use its own default.
    public let value: JSValue?

    /// Whether the value is a variable of type `float`, which keeps a fraction even if it is integral.
    public let isFloat: Bool

    /// Why the flag has the value.
    public let reason: Reason

    /// The variation's key, or else its id; `none` without a variation, `disabled` for a feature that is off.
    public let variant: String

    /// Facts about the evaluation, as texts: `experienceId`, `experienceKey`, `variationId`, `configRevision`; `source`
    /// if a decision was stored, forced or previewed; and `cause`, why there is no variation or no value.
    public let metadata: JSObject

    /// The JSON text of ``metadata``, if it was written before.
    let metadataJSON: [UInt8]?

    init(
        value: JSValue?, isFloat: Bool = false, reason: Reason, variant: String, metadata: JSObject,
        metadataJSON: [UInt8]? = nil
    ) {
        self.value = value
        self.isFloat = isFloat
        self.reason = reason
        self.variant = variant
        self.metadata = metadata
        self.metadataJSON = metadataJSON
    }

    /// Whether all that clients see is equal.
    public static func == (left: FlagEvaluation, right: FlagEvaluation) -> Bool {
        left.value == right.value && left.isFloat == right.isFloat && left.reason == right.reason
            && left.variant == right.variant && left.metadata == right.metadata
    }
}

/// Why a flag could not be evaluated.
public struct FlagError: Error, Sendable, Equatable {
    /// An error code of OpenFeature.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Code: String, Sendable, Hashable {
        /// The request could not be read.
        case parseError = "PARSE_ERROR"
        /// The context has no visitor id.
        case targetingKeyMissing = "TARGETING_KEY_MISSING"
        /// The context has a member of the wrong type.
        case invalidContext = "INVALID_CONTEXT"
        /// The config has no such flag.
        case flagNotFound = "FLAG_NOT_FOUND"
        /// There is no config yet.
        case providerNotReady = "PROVIDER_NOT_READY"
        /// The rules of the flag cannot be evaluated.
        case general = "GENERAL"
    }

    /// The code.
    public let code: Code

    /// What is wrong and how to fix it, in words.
    public let details: String

    init(_ code: Code, _ details: String) {
        self.code = code
        self.details = details
    }

    static let notReady = FlagError(
        .providerNotReady, "there is no config yet; the SDK tries to load it until it has one.")
}

extension FlagError: CustomStringConvertible {
    /// The code and the details.
    public var description: String { "\(code.rawValue): \(details)" }
}
