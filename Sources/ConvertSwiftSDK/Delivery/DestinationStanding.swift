import ConvertConcurrency
import ConvertMonitoring

/// The consequences of the endpoint's last responses for one destination's next requests.
///
/// Destinations differ in SDK key and project, so the endpoint may refuse one and accept another.
struct DestinationStanding: Sendable {
    /// Why the destination's events wait.
    struct Outage: Sendable {
        let cause: DeliveryOutage.Cause
        /// `nil` if there was no answer.
        let status: Int?
        /// When the first request failed.
        let since: Duration
        /// The end of the pause.
        var until: Duration
        /// The end of the pause that the endpoint asked for, which even a flush respects.
        let askedUntil: Duration
    }

    let destination: TrackingDestination
    /// The current outage, or `nil`.
    private(set) var outage: Outage?
    /// The sizes of the next requests. The events at the front of the queue were refused together, and are sent again
    /// in parts.
    private var parts: [Int] = []
    private var failures = 0
    /// The number of single events that were refused since the last accepted one.
    private var refusals = 0
    /// The causes of the outage so far.
    private(set) var causes: Set<DeliveryOutage.Cause> = []

    init(_ destination: TrackingDestination) { self.destination = destination }

    /// Whether the next events are being retried, after a failure or a refusal.
    var isRetrying: Bool { failures > 0 || !parts.isEmpty }

    /// The maximum number of events in the next request; `nil` unless a request was refused.
    var sizeLimit: Int? { parts.first }

    /// With less time than this no further attempt is made.
    private static let shortestRest = Duration.milliseconds(250)

    /// Whether this standing has no consequences and can be removed.
    var isClear: Bool { outage == nil && parts.isEmpty && refusals == 0 }

    /// Whether the destination is in an outage that does not end by itself.
    var isRefused: Bool { outage.map { $0.cause != .unavailable } ?? false }

    /// The time until which nothing is sent.
    var pauseEnd: Duration { outage?.until ?? .zero }

    /// Ends the SDK's own part of the pause; the endpoint's `Retry-After` remains.
    mutating func endPause() {
        if PlantedFault.isPlanted("flush-ignores-retry-after") { self.outage?.until = .zero }
        if let outage { self.outage?.until = min(outage.until, outage.askedUntil) }
    }

    mutating func didDeliver(_ count: Int) {
        passParts(count)
        endOutage()
        refusals = 0
        causes = []
    }

    /// Records that a request with `count` events was refused for its body. Several events are sent again in halves; a
    /// single event is rejected.
    ///
    /// Returns whether the destination must pause.
    mutating func didRefuse(_ count: Int, limit: Int) -> Bool {
        passParts(count)
        if count > 1 { parts.insert(contentsOf: [count / 2, count - count / 2], at: 0) } else { refusals += 1 }
        if refusals < limit { endOutage() }
        return count == 1 && refusals >= limit
    }

    /// Records that events were rejected without a response of the endpoint.
    mutating func didGiveUp(_ count: Int) {
        passParts(count)
        endOutage()
    }

    /// Records a failed request: the events wait from `now` on.
    mutating func didFail(
        _ cause: DeliveryOutage.Cause, status: Int?, retryAfter: Duration?, now: Duration, policy: DeliveryPolicy,
        using generator: inout some RandomNumberGenerator
    ) {
        failures += 1
        let backoff = cause == .unavailable ? policy.backoff : policy.outageBackoff
        let delay = backoff.delay(after: failures, using: &generator)
        let retryAfter = PlantedFault.isPlanted("retry-after-ignored") ? nil : retryAfter
        let asked = retryAfter.map { min($0, policy.maximumRetryAfter) } ?? .zero
        outage = Outage(
            cause: cause, status: status, since: outage?.since ?? now, until: now + max(delay, asked),
            askedUntil: now + asked)
        causes.insert(cause)
    }

    /// Shortens the SDK's own part of the pause to half of the time until `end`, so that other attempts follow before.
    mutating func shortenPause(from now: Duration, before end: Duration) {
        guard let outage, outage.cause == .unavailable, end - now > Self.shortestRest else { return }
        self.outage?.until = max(outage.askedUntil, min(outage.until, now + (end - now) / 2))
    }

    private mutating func endOutage() {
        outage = nil
        failures = 0
    }

    private mutating func passParts(_ count: Int) {
        var rest = count
        while rest > 0, let size = parts.first {
            if size > rest { parts[0] = size - rest } else { parts.removeFirst() }
            rest -= size
        }
    }
}
