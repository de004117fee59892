#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why tracking events wait: the endpoint's last answer, when the outage began, and when the SDK sends again.
public struct DeliveryOutage: Sendable, Hashable {
    /// The cause of an outage. More causes may be added.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Cause: Sendable, Hashable {
        /// The endpoint cannot be reached, is busy or fails: no answer, 408, 429, or any other 5xx. Such an outage ends
        /// by itself.
        case unavailable
        /// The endpoint refuses the SDK key, its secret or the account: 401, 402 or 403.
        case credentials
        /// The endpoint's URL cannot be used, or nothing is at the address: 404, 405, 410, 414, 421, or a redirect that
        /// is not followed.
        case address
        /// A proxy or gateway in between refuses the request: 407, 425, 451 or 511.
        case proxy
        /// The endpoint does not accept such requests, whatever the events: any other 4xx, 501, 505 or 510. Also used
        /// if the endpoint refused the bodies (400, 413, 422) of 50 single events in succession.
        case request
    }

    /// The cause of the outage.
    public let cause: Cause

    /// The endpoint's last status; `nil` if there was no answer or no request could be made.
    public let status: Int?

    /// When the first request failed.
    public let since: Date

    /// When the SDK sends again by itself. `ConvertSDK.flush()` sends at once, unless the endpoint asked for a pause.
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
