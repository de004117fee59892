import Bridges
import ConvertMonitoring
import ConvertSwiftSDK
import Foundation
import InMemoryTracing
import Synchronization
import Tracing

/// Compares the events on spans with the words of OpenTelemetry's semantic conventions, as version 1.40 prints them.
struct EvaluationEventsCheck {
    private static let attributes: Set = [
        "feature_flag.key", "error.type", "feature_flag.result.value", "feature_flag.result.variant",
        "feature_flag.error.message", "feature_flag.context.id", "feature_flag.provider.name",
        "feature_flag.result.reason", "feature_flag.set.id", "feature_flag.version",
    ]
    private static let reasons: Set = [
        "cached", "default", "disabled", "error", "split", "stale", "static", "targeting_match", "unknown",
    ]
    private static let errorTypes: Set = [
        "flag_not_found", "invalid_context", "parse_error", "provider_fatal", "provider_not_ready",
        "targeting_key_missing", "type_mismatch", "general",
    ]

    let tracer: InMemoryTracer
    let config: URL

    func run() throws {
        let events = EvaluationEvents(namesVisitors: true, flagSet: "1001/2002/production")
        var configuration = SDKConfiguration()
        let questions = LastQuestion()
        configuration.evaluationHook = EvaluationHooks(events, questions)
        configuration.logLevel = .silent
        let waiting = ConvertSDK(
            configFile: URL(fileURLWithPath: "/absent"), environment: "production", mode: .offline,
            configuration: configuration)
        let early = evaluation { waiting.createContext(visitorID: "visitor-4").decide("one-page-checkout") }
        expect(early, reason: "error", errorType: "provider_not_ready")
        Main.check(early["feature_flag.version"] == nil, "a version before there is a config")

        let sdk = try ConvertSDK(
            configData: Data(contentsOf: config), environment: "production", mode: .offline,
            configuration: configuration)
        events.follow(sdk)
        let visitor = sdk.createContext(
            visitorID: "visitor-4", attributes: ["orders": 2, "customer_id": "c-1"],
            locationProperties: ["path": "/checkout"])
        let decided = evaluation { visitor.decide("one-page-checkout") }
        expect(decided, reason: "split", variant: "one-page")
        Main.check(decided["feature_flag.key"] == "one-page-checkout", "feature_flag.key")
        Main.check(decided["feature_flag.provider.name"] == "convert", "feature_flag.provider.name")
        Main.check(decided["feature_flag.context.id"] == "visitor-4", "feature_flag.context.id")
        Main.check(decided["feature_flag.set.id"] == "1001/2002/production", "feature_flag.set.id")
        Main.check(decided["feature_flag.version"] == sdk.configStatus.revision, "feature_flag.version")
        expect(evaluation { visitor.decide("one-page-checkout") }, reason: "split", variant: "one-page")
        expect(evaluation { visitor.decide("free-shipping-banner") }, reason: "default")
        expect(evaluation { visitor.decide("christmas-2023") }, reason: "disabled")
        expect(
            evaluation { _ = visitor.isFeatureEnabled("checkout-form") }, reason: "targeting_match", variant: "enabled")
        expect(evaluation { visitor.decide("absent") }, reason: "error", errorType: "flag_not_found")
        expect(
            evaluation { _ = visitor.isFeatureEnabled("absent") }, reason: "error", errorType: "flag_not_found")
        expect(
            evaluation { sdk.createContext(visitorID: "").decide("one-page-checkout") }, reason: "error",
            errorType: "targeting_key_missing")

        // Each word of the SDK becomes one of the conventions', and is kept as the message.
        guard let question = questions.value.withLock({ $0 }) else { return Main.check(false, "no question was seen") }
        for (word, type) in [
            ("malformedRules", "parse_error"), ("missingSettings", "parse_error"),
            ("variationNotFound", "parse_error"), ("needMoreData", "invalid_context"),
            ("noDataFound", "invalid_context"), ("missingLocationProperties", "invalid_context"),
            ("a word of a later version", "general"),
        ] {
            let failed = evaluation { events.failed(question, word) }
            expect(failed, reason: "error", errorType: type)
            Main.check(failed["feature_flag.error.message"] == word, "feature_flag.error.message")
        }
    }

    /// The attributes of the one event that `body` adds to a span.
    private func evaluation(_ body: () -> Void) -> [String: String] {
        tracer.clearFinishedSpans()
        withSpan("request") { _ in body() }
        let events = tracer.finishedSpans.flatMap(\.events)
        Main.check(events.map(\.name) == ["feature_flag.evaluation"], "one event a question: \(events.map(\.name))")
        var found: [String: String] = [:]
        events.first?.attributes.forEach { name, value in
            if case .string(let text) = value { found[name] = text } else { Main.check(false, "\(name) is no text") }
        }
        return found
    }

    private func expect(
        _ found: [String: String], reason: String, variant: String? = nil, errorType: String? = nil
    ) {
        Main.check(Self.attributes.isSuperset(of: found.keys), "unknown attributes: \(found.keys)")
        Main.check(Self.reasons.contains(reason), "the conventions have no reason \(reason)")
        if let errorType {
            Main.check(Self.errorTypes.contains(errorType), "the conventions have no error.type \(errorType)")
        }
        Main.check(found["feature_flag.result.reason"] == reason, "\(found): the reason is not \(reason)")
        Main.check(
            found["feature_flag.result.variant"] == variant, "\(found): the variant is not \(variant ?? "absent")")
        Main.check(found["error.type"] == errorType, "\(found): error.type is not \(errorType ?? "absent")")
    }
}

/// Keeps the last question, which only the SDK can make.
private final class LastQuestion: EvaluationHook {
    let value = Mutex<EvaluationCall?>(nil)

    func before(_ evaluation: EvaluationCall) { value.withLock { $0 = evaluation } }
}
