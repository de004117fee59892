import ConvertECMAScript
import ConvertSwiftSDKCore

// Answers in the JavaScript SDK's format. Ids and keys have the same JSON type as in the config: a number does not
// become text.

extension Decision {
    /// The answer in the JavaScript SDK's format. `config` must be the config of the decision.
    func answer(on config: ProjectConfig) -> JSValue {
        switch outcome {
        case .none(let reason):
            if reason.isThrownByReference { return "error" }
            return reason.sentinel.map { ["error": .string($0)] } ?? .null
        case .variation(let found):
            var answer = JSObject()
            // If several experiences have this id, the variations of the first one apply.
            let owner = config.experiences.first { $0.id.text == found.experienceID }
            let experience = config.experiences.first {
                $0.id.text == found.experienceID && $0.key ?? "" == found.experienceKey
            }
            let variation = owner?.variations.first {
                $0.id?.text ?? "" == found.variationID && $0.key == found.variationKey
            }
            answer["experienceId"] = experience?.id.value
            answer["experienceKey"] = experience?.entityKey.value
            answer["variationId"] = variation?.id?.value
            answer["variationKey"] = variation?.entityKey.value
            answer["bucketingAllocation"] = found.bucketingAllocation.map { .integer($0) }
            return .object(answer)
        }
    }
}

extension FeatureDecision {
    /// The answer in the JavaScript SDK's format.
    ///
    /// - Parameters:
    ///   - key: the requested key; `nil` if all features were requested.
    ///   - config: the config of the decision.
    func answer(for key: String? = nil, on config: ProjectConfig) -> JSValue {
        switch reason {
        case nil:
            let answers = features.map { $0.answer(for: key, on: config) }
            return key != nil && answers.count == 1 ? answers[0] : .array(answers)
        case .missingVisitorID: return .null
        case let reason?: return reason.sentinel.map { ["error": .string($0)] } ?? "error"
        }
    }
}

extension BucketedFeature {
    fileprivate func answer(for asked: String?, on config: ProjectConfig) -> JSValue {
        let declared =
            config.features.last { $0.id.text == id && $0.key == key } ?? config.features.last { $0.id.text == id }
        let carrier = config.experiences.first { $0.id.text == experienceID && $0.key == experienceKey }
        var answer: JSObject = ["status": .string(status.rawValue)]
        answer["id"] = status == .enabled ? id.map { .string($0) } : declared?.id.value
        answer["key"] = asked.map { .string($0) } ?? declared?.entityKey.value
        answer["variables"] = variables
        answer["experienceKey"] = carrier?.entityKey.value
        return .object(answer)
    }
}

extension EntityKey {
    /// The key as a JSON value of its original type; `nil` for a missing key. Arrays and objects are not kept, and
    /// become `null`.
    fileprivate var value: JSValue? {
        switch kind {
        case .text: lookUp.value
        case .number: JSValue(ECMAScript.stringToNumber(lookUp.name))
        case .bool: .bool(lookUp.name == "true")
        case .null, .array, .object: .null
        case nil: nil
        }
    }
}
