public import Foundation

/// A type that a flag's value can have.
public protocol OpenFeatureValue: Sendable {}

extension Bool: OpenFeatureValue {}
extension String: OpenFeatureValue {}
extension Int: OpenFeatureValue {}
extension Double: OpenFeatureValue {}

/// The value of a field of a context.
public enum OpenFeatureFieldValue: Sendable {
    case bool(Bool)
    case string(String)
    case int(Int)
    case double(Double)
    case date(Date)
    case object(any Codable & Sendable)
}

/// What is known of the subject of an evaluation.
public struct OpenFeatureEvaluationContext: Sendable {
    /// The subject's id.
    public var targetingKey: String?
    /// The subject's attributes.
    public var fields: [String: OpenFeatureFieldValue]

    /// Creates a value from its parts.
    public init(targetingKey: String? = nil, fields: [String: OpenFeatureFieldValue] = [:]) {
        self.targetingKey = targetingKey
        self.fields = fields
    }
}

/// A value in a flag's metadata.
public enum OpenFeatureFlagMetadataValue: Sendable, Equatable {
    case bool(Bool)
    case string(String)
    case int(Int)
    case double(Double)
}
