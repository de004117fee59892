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
        if let key { answer["key"] = .string(key) }
        if let variables { answer["variables"] = variables }
        if let experienceKey { answer["experienceKey"] = .string(experienceKey) }
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
            var answer: JSObject = [
                "experienceId": .string(variation.experienceID), "experienceKey": .string(variation.experienceKey),
                "variationId": .string(variation.variationID),
            ]
            if let key = variation.variationKey { answer["variationKey"] = .string(key) }
            if let value = variation.bucketingAllocation { answer["bucketingAllocation"] = .integer(value) }
            return .object(answer)
        }
    }
}
