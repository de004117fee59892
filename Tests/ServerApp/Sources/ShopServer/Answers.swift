import ConvertSwiftSDK
import Hummingbird

/// A decision, with the members that `convert-sdk decide --json` prints.
struct DecisionAnswer: ResponseEncodable {
    let experienceKey: String
    let experienceId: String?
    let variationId: String?
    let variationKey: String?
    let bucketingAllocation: Int?
    let source: String?
    let reason: String?

    init(_ decision: Decision, of key: String) {
        let variation = decision.variation
        experienceKey = key
        experienceId = variation?.experienceID
        variationId = variation?.variationID
        variationKey = variation?.variationKey
        bucketingAllocation = variation?.bucketingAllocation
        source = variation?.source.rawValue
        reason = decision.reason?.rawValue
    }
}

/// A feature, with the members that `convert-sdk features --json` prints.
struct FeatureAnswer: ResponseEncodable {
    let id: String?
    let key: String?
    let status: String
    let reason: String?
    let variables: JSValue?
    let experienceId: String?
    let experienceKey: String?

    init(_ feature: BucketedFeature) {
        id = feature.id
        key = feature.key
        status = feature.status.rawValue
        reason = feature.disabledReason?.rawValue
        variables = feature.variables
        experienceId = feature.experienceID
        experienceKey = feature.experienceKey
    }
}

/// What came of a conversion.
struct ConversionAnswer: ResponseEncodable {
    let visitor: String
    let goal: String
    let outcome: String
}
