import Bridges
import ConvertMonitoring
import ConvertSwiftSDK
import Foundation
import InMemoryTracing
import Logging
import MetricsTestKit
import ServiceLifecycle
import Synchronization
import Tracing

/// Puts each bridge to work and fails if it does not do what it says.
@main
enum Main {
    static func main() async throws {
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)
        let log = RecordedLog()
        LoggingSystem.bootstrap { RecordingHandler(label: $0, log: log) }
        let metrics = TestMetrics()

        let bridge = LogBridge(metadata: ["environment": "production"])
        var configuration = SDKConfiguration()
        configuration.logger = bridge
        configuration.logLevel = bridge.level
        configuration.isTrackingEnabled = false
        configuration.evaluationHook = EvaluationHooks(EvaluationMetrics(factory: metrics))
        let config = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "")
        let sdk = try ConvertSDK(
            configData: Data(contentsOf: config), environment: "production", configuration: configuration)
        let visitor = sdk.createContext(
            visitorID: "visitor-4", attributes: ["orders": 2, "customer_id": "c-1"],
            locationProperties: ["path": "/checkout"])

        visitor.decide("one-page-checkout")
        _ = visitor.isFeatureEnabled("checkout-form")
        visitor.decide("no-such-experience")
        visitor.trackConversion("order-placed")

        check(log.entries.contains { $0.label == "convert" && $0.metadata == ["environment": "production"] }, "log")
        let total = metrics.counterTotal(label: "convert_evaluations")
        check(total == 3, "evaluations: \(total)")
        let decided = metrics.counters(label: "convert_evaluations").filter { counter in
            counter.dimensions.contains { $0 == ("key", "one-page-checkout") }
                && counter.dimensions.contains { $0 == ("reason", "bucketed") }
        }
        check(decided.count == 1, "the decision's counter")
        check(
            !metrics.counters(label: "convert_evaluations").contains { counter in
                counter.dimensions.contains { $0.1 == "no-such-experience" }
            }, "a made-up key became a dimension")

        try EvaluationEventsCheck(tracer: tracer, config: config).run()
        try await ProviderCheck(provider: ConvertProvider(sdk: sdk)).run()

        // The group's end ends the SDK, and the metrics have what it left.
        let ender = Ender()
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: DeliveryMetrics(sdk: sdk, factory: metrics)),
                    .init(service: SDKService(sdk: sdk, deadline: .milliseconds(200), logger: Logger(label: "shop"))),
                    .init(service: ender, successTerminationBehavior: .gracefullyShutdownGroup),
                ],
                logger: Logger(label: "group"))
        ).run()
        check(visitor.trackConversion("review-written") == .shutDown, "the SDK was not shut down")
        let queued = try metrics.expectRecorder("convert_events_queued").lastValue
        check(queued == Double(sdk.deliveryCounts.queued) && sdk.deliveryCounts.queued > 0, "queued")
        check(log.entries.contains { $0.message.contains("events were not delivered") }, "the report")
        print("The bridges to swift-log, swift-metrics, tracing, service lifecycle and OpenFeature hold")
    }

    static func check(_ isTrue: Bool, _ what: String) {
        if isTrue { return }
        print("FAILED: \(what)")
        exit(1)
    }
}

/// Ends its group at once.
private struct Ender: Service {
    func run() async {}
}

private final class RecordedLog: Sendable {
    struct Entry {
        let label: String
        let message: String
        let metadata: Logger.Metadata
    }

    private let state = Mutex<[Entry]>([])
    var entries: [Entry] { state.withLock { $0 } }
    func append(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

private struct RecordingHandler: LogHandler {
    let label: String
    let log: RecordedLog
    var logLevel = Logger.Level.debug
    var metadata = Logger.Metadata()

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        log.append(RecordedLog.Entry(label: label, message: "\(event.message)", metadata: metadata))
    }
}
