import ConvertECMAScript
import ConvertSwiftSDKCore

extension FeatureDecision {
    /// The answer in the JavaScript SDK's shape.
    var answer: JSValue {
        switch reason {
        case nil: .array(features.map(\.answer))
        case .missingVisitorID: .null
        case let reason?: reason.sentinel.map { ["error": .string($0)] } ?? "error"
        }
    }
}

extension BucketedFeature {
    /// The answer in the JavaScript SDK's shape.
    var answer: JSValue {
        var answer: JSObject = ["status": .string(status.rawValue)]
        if let idValue { answer["id"] = idValue }
        if let keyValue { answer["key"] = keyValue }
        if let variables { answer["variables"] = variables }
        if let experienceKeyValue { answer["experienceKey"] = experienceKeyValue }
        return .object(answer)
    }
}

extension Decision {
    /// The answer in the JavaScript SDK's shape.
    var answer: JSValue {
        switch outcome {
        case .none(let reason):
            if reason.isThrownByReference { return "error" }
            return reason.sentinel.map { ["error": .string($0)] } ?? .null
        case .variation(let variation):
            var answer: JSObject = ["experienceId": variation.experienceIDValue]
            if let key = variation.experienceKeyValue { answer["experienceKey"] = key }
            if let id = variation.variationIDValue { answer["variationId"] = id }
            if let key = variation.variationKeyValue { answer["variationKey"] = key }
            if let value = variation.bucketingAllocation { answer["bucketingAllocation"] = .integer(value) }
            return .object(answer)
        }
    }
}
