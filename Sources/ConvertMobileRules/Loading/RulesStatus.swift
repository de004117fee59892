public import Foundation

/// How current the rules of a ``RulesLoader`` are, for health checks.
public struct RulesStatus: Sendable, Hashable {
    /// The time since the rules were last known to be current, because they were loaded or their source had not
    /// changed. Measured with the monotonic clock. `nil` if no load has succeeded: the rules are a cached copy or the
    /// bundled rules, or there are no rules.
    public let age: Duration?

    /// The calendar time of the first failed load since the last success; `nil` if the last load succeeded, or no load
    /// has ended yet. Cancelled loads do not count.
    public let failingSince: Date?

    /// Why the last load failed; `nil` if it succeeded, or no load has ended yet.
    public let lastError: MobileRulesError?
}
