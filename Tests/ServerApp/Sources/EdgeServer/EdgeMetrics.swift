import ConvertSwiftSDK
import Synchronization

/// What a scraper of Prometheus gets.
final class EdgeMetrics: Sendable {
    private let sdk: ConvertSDK
    private let requests = Mutex<[Int: Int]>([:])

    init(sdk: ConvertSDK) { self.sdk = sdk }

    /// Counts a response.
    func count(status: Int) { requests.withLock { $0[status, default: 0] += 1 } }

    /// All figures in Prometheus' text form.
    var text: String {
        let events = sdk.deliveryCounts
        let config = sdk.configStatus
        var lines = ["# TYPE convert_edge_requests_total counter"]
        for (status, count) in requests.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            lines.append("convert_edge_requests_total{status=\"\(status)\"} \(count)")
        }
        func add(_ name: String, _ kind: String, _ value: some CustomStringConvertible) {
            lines += ["# TYPE \(name) \(kind)", "\(name) \(value)"]
        }
        add("convert_edge_ready", "gauge", sdk.isReady ? 1 : 0)
        if let age = config.age { add("convert_config_age_seconds", "gauge", age / .seconds(1)) }
        add("convert_config_failing", "gauge", config.failingSince == nil ? 0 : 1)
        add("convert_events_accepted_total", "counter", events.accepted)
        add("convert_events_restored_total", "counter", events.restored)
        add("convert_events_delivered_total", "counter", events.delivered)
        add("convert_events_queued", "gauge", events.queued)
        add("convert_events_rejected_total", "counter", events.rejectedTotal)
        return lines.joined(separator: "\n") + "\n"
    }
}
