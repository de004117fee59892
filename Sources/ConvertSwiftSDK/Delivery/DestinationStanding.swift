import ConvertConcurrency
import ConvertMonitoring

/// What the endpoint's last answers to one destination's events mean for its next requests.
///
/// Destinations differ in SDK key and project, so one of them may be refused while another is taken.
struct DestinationStanding: Sendable {
    /// Why its events wait.
    struct Outage: Sendable {
        let cause: DeliveryOutage.Cause
        /// `nil` if there was no answer.
        let status: Int?
        /// When the first request failed.
        let since: Duration
        /// Nothing is sent before.
        var until: Duration
        /// Not even a flush sends before, because the endpoint asked for it.
        let askedUntil: Duration
    }

    let destination: TrackingDestination
    /// Why its events wait, or the last request failed.
    private(set) var outage: Outage?
    /// The sizes of the next requests: the events at the front of the queue were refused together and go again in
    /// parts.
    private var parts: [Int] = []
    private var failures = 0
    /// Events that were refused by themselves since one was taken.
    private var refusals = 0
    /// The outage's causes so far.
    private(set) var causes: Set<DeliveryOutage.Cause> = []

    init(_ destination: TrackingDestination) { self.destination = destination }

    /// Whether events were in a request that failed or was refused.
    var isRetrying: Bool { failures > 0 || !parts.isEmpty }

    /// How many events the next request has at most, if its predecessor's refusal says so.
    var sizeLimit: Int? { parts.first }

    /// Whether this standing changes nothing and can be removed.
    var isClear: Bool { outage == nil && parts.isEmpty && refusals == 0 }

    /// Whether its events wait in an outage that does not pass by itself.
    var isRefused: Bool { outage.map { $0.cause != .unavailable } ?? false }

    /// Until when nothing is sent.
    var pauseEnd: Duration { outage?.until ?? .zero }

    /// Ends the SDK's own part of the pause; `Retry-After` stays.
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

    /// A request with `count` events was refused for its body: several go again in halves, and a single one is given
    /// up.
    ///
    /// Returns whether the destination is to pause.
    mutating func didRefuse(_ count: Int, limit: Int) -> Bool {
        passParts(count)
        if count > 1 { parts.insert(contentsOf: [count / 2, count - count / 2], at: 0) } else { refusals += 1 }
        if refusals < limit { endOutage() }
        return count == 1 && refusals >= limit
    }

    /// Events without an address were given up.
    mutating func didGiveUp(_ count: Int) {
        passParts(count)
        endOutage()
    }

    /// Its events wait from `now` on.
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
