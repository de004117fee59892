package import ConvertSwiftSDK
import Tracing

/// Adds an event to the current span for each question that is answered, with the attributes of OpenTelemetry's
/// semantic conventions for `feature_flag.evaluation`. Without a current span, or with a tracer that does not know its
/// active spans, it does nothing.
package struct EvaluationEvents: EvaluationHook {
    /// Whether events carry the visitor's id. An id can identify a person, so it is left out by default.
    private let namesVisitors: Bool

    package init(namesVisitors: Bool = false) { self.namesVisitors = namesVisitors }

    package func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
        guard let span = currentSpan else { return }
        var attributes = attributes(of: evaluation)
        if let variant = answer.variant { attributes["feature_flag.result.variant"] = variant }
        attributes["feature_flag.result.reason"] = answer.semanticReason
        span.addEvent(SpanEvent(name: "feature_flag.evaluation", attributes: attributes))
    }

    package func failed(_ evaluation: EvaluationCall, _ reason: String) {
        guard let span = currentSpan else { return }
        var attributes = attributes(of: evaluation)
        attributes["feature_flag.result.reason"] = "error"
        attributes["error.type"] = reason
        span.addEvent(SpanEvent(name: "feature_flag.evaluation", attributes: attributes))
    }

    private var currentSpan: (any Span)? {
        ServiceContext.current.flatMap { InstrumentationSystem.tracer.activeSpan(identifiedBy: $0) }
    }

    private func attributes(of evaluation: EvaluationCall) -> SpanAttributes {
        var attributes = SpanAttributes()
        attributes["feature_flag.key"] = evaluation.key
        attributes["feature_flag.provider.name"] = "convert"
        if namesVisitors { attributes["feature_flag.context.id"] = evaluation.visitorID }
        return attributes
    }
}

extension EvaluationAnswer {
    /// The conventions' word for the reason.
    fileprivate var semanticReason: String {
        switch self {
        case .decision(let decision):
            switch decision.variation?.source {
            case .bucketed: "split"
            case .stored: "cached"
            case .forced, .preview: "static"
            case nil: "default"
            }
        case .feature(let feature): feature.status == .enabled ? "targeting_match" : "default"
        }
    }
}
