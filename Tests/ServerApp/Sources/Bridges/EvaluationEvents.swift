public import ConvertMonitoring
public import ConvertSwiftSDK
import Synchronization
import Tracing

/// Adds an event to the current span for each question that is answered, with the attributes of OpenTelemetry's
/// semantic conventions 1.40 for `feature_flag.evaluation`. Without a current span, or with a tracer that does not know
/// its active spans, it does nothing.
///
/// The conventions define a log event. Swift's tracing has events of spans only, so it is one of those.
///
///     let events = EvaluationEvents(flagSet: "1001/2002/production")
///     configuration.evaluationHook = events
///     let sdk = ConvertSDK(sdkKey: "1001/2002", environment: "production", configuration: configuration)
///     events.follow(sdk)
///
/// Tried with swift-distributed-tracing 1.7.3.
public final class EvaluationEvents: EvaluationHook {
    /// Whether events carry the visitor's id. An id can identify a person, so it is left out by default.
    private let namesVisitors: Bool
    private let flagSet: String?
    private let revision = Mutex<String?>(nil)

    /// - Parameters:
    ///   - namesVisitors: whether events carry the visitor's id.
    ///   - flagSet: what the keys belong to, such as account, project and environment.
    public init(namesVisitors: Bool = false, flagSet: String? = nil) {
        self.namesVisitors = namesVisitors
        self.flagSet = flagSet
    }

    /// Names the revision of the SDK's config in events from now on.
    public func follow(_ sdk: ConvertSDK) {
        sdk.onEvent { [weak sdk, weak self] event in
            guard event == .ready || event == .configUpdated else { return }
            let current = sdk?.configStatus.revision
            self?.revision.withLock { $0 = current }
        }
    }

    /// Adds an event for the answer.
    public func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
        add(evaluation) { attributes in
            if let variant = answer.variant { attributes["feature_flag.result.variant"] = variant }
            attributes["feature_flag.result.reason"] = answer.semanticReason
        }
    }

    /// Adds an event for the question that was not answered.
    public func failed(_ evaluation: EvaluationCall, _ reason: String) {
        add(evaluation) { attributes in
            attributes["feature_flag.result.reason"] = "error"
            attributes["error.type"] = Self.errorType(of: reason)
            attributes["feature_flag.error.message"] = reason
        }
    }

    private func add(_ evaluation: EvaluationCall, _ result: (inout SpanAttributes) -> Void) {
        guard let span = ServiceContext.current.flatMap({ InstrumentationSystem.tracer.activeSpan(identifiedBy: $0) })
        else { return }
        var attributes = SpanAttributes()
        attributes["feature_flag.key"] = evaluation.key
        attributes["feature_flag.provider.name"] = "convert"
        if let flagSet { attributes["feature_flag.set.id"] = flagSet }
        if let revision = revision.withLock({ $0 }) { attributes["feature_flag.version"] = revision }
        if namesVisitors { attributes["feature_flag.context.id"] = evaluation.visitorID }
        result(&attributes)
        span.addEvent(SpanEvent(name: "feature_flag.evaluation", attributes: attributes))
    }

    /// The conventions' word for the SDK's. Where one of their words applies, they permit no other.
    private static func errorType(of reason: String) -> String {
        if reason == BucketedFeature.DisabledReason.undeclared.rawValue { return "flag_not_found" }
        return switch Decision.Reason(rawValue: reason) {
        case .unknownExperience: "flag_not_found"
        case .sdkNotReady: "provider_not_ready"
        case .missingVisitorID: "targeting_key_missing"
        case .malformedRules, .missingSettings, .variationNotFound: "parse_error"
        case .needMoreData, .noDataFound, .missingLocationProperties: "invalid_context"
        default: "general"
        }
    }
}

extension EvaluationAnswer {
    /// The conventions' word for the reason.
    fileprivate var semanticReason: String {
        switch self {
        case .decision(let decision):
            switch decision.variation?.source {
            // A stored decision was made by the hash too, at an earlier question.
            case .bucketed, .stored: "split"
            case .forced, .preview: "static"
            case nil: decision.reason == .archived ? "disabled" : "default"
            }
        case .feature(let feature): feature.status == .enabled ? "targeting_match" : "default"
        }
    }
}
