public import ConvertSwiftSDK
public import Metrics
public import ServiceLifecycle

/// Reports the queue of tracking events and what was lost of it, as gauges that follow `deliveryCounts`.
///
/// It is a service: it samples at an interval, and once more when it ends. List it before the SDK's service, so that it
/// ends after the last delivery.
///
/// Tried with swift-metrics 2.13.0 and swift-service-lifecycle 2.13.0.
public struct DeliveryMetrics: Service {
    private let sdk: ConvertSDK
    private let interval: Duration
    private let factory: any MetricsFactory

    /// Samples every `interval`.
    public init(
        sdk: ConvertSDK, interval: Duration = .seconds(10), factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.sdk = sdk
        self.interval = interval
        self.factory = factory
    }

    /// Samples until the service group shuts down.
    public func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                record()
                try? await Task.sleep(for: interval)
            }
        }
        record()
    }

    /// Samples once.
    public func record() {
        let counts = sdk.deliveryCounts
        record(counts.accepted, "accepted")
        record(counts.restored, "restored")
        record(counts.delivered, "delivered")
        record(counts.queued, "queued")
        for (reason, count) in counts.rejected { record(count, "rejected", [("reason", "\(reason)")]) }
    }

    private func record(_ count: Int, _ name: String, _ dimensions: [(String, String)] = []) {
        Gauge(label: "convert_events_\(name)", dimensions: dimensions, factory: factory).record(count)
    }
}
