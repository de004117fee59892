import ConvertMonitoring
import ConvertSwiftSDKCore

/// Calls to the hook around an answer.
extension ConvertContext {
    /// Returns the answer of `body`, and calls the hook before and after it.
    func hooked(_ subject: EvaluationCall.Subject, _ body: () -> Decision) -> Decision {
        guard let hook = engine.configuration.evaluationHook else { return body() }
        let evaluation = EvaluationCall(subject: subject, visitorID: visitorID)
        hook.before(evaluation)
        let decision = body()
        if let reason = decision.reason, reason.isFailure {
            hook.failed(evaluation, reason.rawValue)
        } else {
            hook.after(evaluation, .decision(decision))
        }
        return decision
    }

    /// Returns the answer of `body`, and calls the hook before and after it.
    func hooked(_ subject: EvaluationCall.Subject, _ body: () -> FeatureDecision) -> FeatureDecision {
        guard let hook = engine.configuration.evaluationHook else { return body() }
        let evaluation = EvaluationCall(subject: subject, visitorID: visitorID)
        hook.before(evaluation)
        let found = body()
        if let reason = found.reason {
            hook.failed(evaluation, reason.rawValue)
        } else if let feature = found.features.first, feature.disabledReason != .undeclared {
            hook.after(evaluation, .feature(feature))
        } else {
            hook.failed(evaluation, BucketedFeature.DisabledReason.undeclared.rawValue)
        }
        return found
    }
}

extension Decision.Reason {
    /// Whether nothing could be decided, in contrast to a visitor that is not eligible.
    fileprivate var isFailure: Bool {
        switch self {
        case .missingVisitorID, .unknownExperience, .sdkNotReady, .malformedRules, .missingSettings, .needMoreData,
            .noDataFound, .variationNotFound, .missingLocationProperties:
            true
        default: false
        }
    }
}
