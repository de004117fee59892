#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why tracking events wait: what the endpoint last answered, since when it takes nothing, and when it is asked again.
public struct DeliveryOutage: Sendable, Hashable {
    /// What keeps the endpoint from taking events. More causes may be added.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Cause: Sendable, Hashable {
        /// The endpoint cannot be reached, is busy or fails: no answer, 408, 429 or a 5xx. It passes by itself.
        case unavailable
        /// The endpoint refuses the SDK key, its secret or the account: 401, 402 or 403.
        case credentials
        /// The endpoint's URL cannot be used, or nothing is at the address: 404, 405, 410, 414, 421, or a redirect that
        /// is not followed.
        case address
        /// A proxy or gateway on the way refuses the request: 407, 425, 451 or 511.
        case proxy
        /// The endpoint does not take such requests, whatever the events: any other 4xx, 501, 505 or 510; or it refused
        /// the bodies (400, 413, 422) of 50 events one after the other.
        case request
    }

    /// What keeps the endpoint from taking events.
    public let cause: Cause

    /// The endpoint's last status, or `nil` if there was no answer or no request could be made.
    public let status: Int?

    /// When the first request failed.
    public let since: Date

    /// When the SDK sends again by itself. `ConvertSDK.flush()` sends at once, unless the endpoint asked for the
    /// pause.
    public let nextAttempt: Date

    package init(cause: Cause, status: Int?, since: Date, nextAttempt: Date) {
        self.cause = cause
        self.status = status
        self.since = since
        self.nextAttempt = nextAttempt
    }
}

extension DeliveryOutage: CustomStringConvertible {
    /// The outage in one line.
    public var description: String {
        let answer = status.map { "status \($0)" } ?? "no answer"
        return
            "\(cause) (\(answer)) since \(since.formatted(.iso8601)), next attempt \(nextAttempt.formatted(.iso8601))"
    }
}
