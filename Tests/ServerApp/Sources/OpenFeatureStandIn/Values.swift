package import Foundation

package protocol OpenFeatureValue: Sendable {}

extension Bool: OpenFeatureValue {}
extension String: OpenFeatureValue {}
extension Int: OpenFeatureValue {}
extension Double: OpenFeatureValue {}

package enum OpenFeatureFieldValue: Sendable {
    case bool(Bool)
    case string(String)
    case int(Int)
    case double(Double)
    case date(Date)
    case object(any Codable & Sendable)
}

package struct OpenFeatureEvaluationContext: Sendable {
    package var targetingKey: String?
    package var fields: [String: OpenFeatureFieldValue]

    package init(targetingKey: String? = nil, fields: [String: OpenFeatureFieldValue] = [:]) {
        self.targetingKey = targetingKey
        self.fields = fields
    }
}

package enum OpenFeatureFlagMetadataValue: Sendable, Equatable {
    case bool(Bool)
    case string(String)
    case int(Int)
    case double(Double)
}
