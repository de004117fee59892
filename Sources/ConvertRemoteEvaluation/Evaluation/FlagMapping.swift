import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// Maps a context's results to OpenFeature's evaluation of a flag, as described in the article on the mapping.
struct FlagMapping {
    let index: FlagIndex
    /// Whether a stored decision differs from a new one. In bulk answers it does not: a request stores decisions, so
    /// the answer's entity tag would otherwise change because of the request alone.
    let showsStored: Bool

    /// The outcome of an experience's flag for a decision.
    func outcome(of decision: Decision, at place: Int) -> FlagEvaluator.Outcome {
        switch decision.outcome {
        case .variation(let variation):
            let variant = variation.variationKey ?? variation.variationID
            let experience = index.experience(of: variation, at: place)
            let (metadata, json) = metadata(of: variation, in: experience)
            return .success(
                FlagEvaluation(
                    value: .string(variant), reason: reason(of: variation, in: experience), variant: variant,
                    metadata: metadata, metadataJSON: json))
        case .none(let reason):
            if let failure = Self.failure(for: reason) { return .failure(failure) }
            var metadata = JSObject()
            metadata["experienceId"] = .string(index.experiences[place].id)
            metadata["experienceKey"] = index.experiences[place].key.map { .string($0) }
            add(cause: reason.rawValue, to: &metadata)
            return .success(
                FlagEvaluation(
                    value: nil, reason: reason == .archived ? .disabled : .unknown, variant: "none",
                    metadata: metadata))
        }
    }

    /// The evaluation of a flag about a feature.
    ///
    /// - Parameter decision: the decision that provides the feature, if there is one.
    func evaluation(
        of flag: Flag, _ feature: BucketedFeature, isArchived: Bool, _ decision: Decision?
    ) -> FlagEvaluation {
        guard feature.status == .enabled else {
            var metadata = JSObject()
            add(cause: feature.disabledReason?.rawValue ?? "notGiven", to: &metadata)
            var value: JSValue?
            if case .feature = flag { value = false }
            return FlagEvaluation(
                value: value, reason: isArchived ? .disabled : .unknown, variant: "disabled", metadata: metadata)
        }
        let variation = decision?.variation
        var (value, isFloat) = (JSValue?.none, false)
        let experience = variation.flatMap { index.experience(of: $0) }
        var (facts, json) = metadata(of: variation, in: experience, giving: feature)
        switch flag {
        case .feature, .experience:
            value = true
        case .variables:
            value = feature.variables?.objectValue.map { .object($0) } ?? .object(JSObject())
        case .variable(_, let key, let isDeclaredFloat):
            isFloat = isDeclaredFloat
            let variable = feature[key]
            value = variable.flatMap(Self.representable)
            if value == nil {
                facts["cause"] = variable == nil ? "variableNotSet" : "valueNotRepresentable"
                json = nil
            }
        }
        return FlagEvaluation(
            value: value, isFloat: isFloat,
            // Without an experience, only a test can have enabled the feature.
            reason: variation.map { reason(of: $0, in: experience) }
                ?? (feature.experienceID == nil ? .static : .split),
            variant: variation.map { $0.variationKey ?? $0.variationID } ?? "enabled", metadata: facts,
            metadataJSON: json)
    }

    /// The error for a reason why there is no variation; `nil` if the visitor is merely not eligible.
    static func failure(for reason: Decision.Reason) -> FlagError? {
        switch reason {
        case .sdkNotReady: .notReady
        case .missingVisitorID: FlagError(.targetingKeyMissing, "the visitor's id is empty.")
        case .unknownExperience: FlagError(.flagNotFound, "the config has no such experience.")
        case .variationNotFound, .needMoreData, .noDataFound, .malformedRules, .missingSettings:
            .undecidable(reason)
        default: nil
        }
    }

    private func reason(
        of variation: BucketedVariation, in experience: FlagIndex.ExperienceEntry?
    ) -> FlagEvaluation.Reason {
        switch variation.source {
        case .forced, .preview: .static
        case .stored where showsStored: .split
        case .bucketed, .stored: experience?.hasSingleArm ?? false ? .targetingMatch : .split
        }
    }

    /// The metadata, and its JSON text if it was written before.
    private func metadata(
        of variation: BucketedVariation?, in experience: FlagIndex.ExperienceEntry?,
        giving feature: BucketedFeature? = nil
    ) -> (JSObject, json: [UInt8]?) {
        if let variation, let experience, experience.key == variation.experienceKey,
            let facts = experience.facts.first(where: { $0.variationID == variation.variationID })
        {
            guard let source = source(of: variation) else { return (facts.metadata, facts.json) }
            var metadata = facts.metadata
            metadata["source"] = source
            return (metadata, nil)
        }
        var metadata = JSObject()
        metadata["experienceId"] = (variation?.experienceID ?? feature?.experienceID).map { .string($0) }
        metadata["experienceKey"] = (variation?.experienceKey ?? feature?.experienceKey).map { .string($0) }
        metadata["variationId"] = variation.map { .string($0.variationID) }
        metadata["configRevision"] = index.identity.revision.map { .string($0) }
        if let variation {
            metadata["source"] = source(of: variation)
        } else if feature?.experienceID == nil {
            metadata["source"] = "forced"
        }
        return (metadata, nil)
    }

    private func source(of variation: BucketedVariation) -> JSValue? {
        switch variation.source {
        case .stored where showsStored: "stored"
        case .forced: "forced"
        case .preview: "preview"
        case .bucketed, .stored: nil
        }
    }

    private func add(cause: String, to metadata: inout JSObject) {
        metadata["configRevision"] = index.identity.revision.map { .string($0) }
        metadata["cause"] = .string(cause)
    }

    /// The value in a form that the protocol can express; `nil` for `null`, an array, and a number that JSON cannot
    /// express.
    private static func representable(_ value: JSValue) -> JSValue? {
        switch value {
        case .bool, .string, .illFormedString, .integer, .object: value
        case .number(let number): number.isFinite ? value : nil
        case .null, .array: nil
        }
    }
}

extension FlagError {
    /// The error of a flag whose entities in the config cannot be used.
    static func undecidable(_ reason: Decision.Reason) -> FlagError {
        FlagError(.general, "the config cannot decide this: \(reason.rawValue); 'convert-sdk lint' says more.")
    }
}
