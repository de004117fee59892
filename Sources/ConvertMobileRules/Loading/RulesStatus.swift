public import Foundation

/// How current the rules of a ``RulesLoader`` are, for health checks.
public struct RulesStatus: Sendable, Hashable {
    /// How long ago the rules were last known to be current: they were loaded, or their source had not changed. It grows by the
    /// monotonic clock. `nil` if that never happened, as long as the rules are a cached copy or the bundled ones, or there are
    /// none.
    public let age: Duration?

    /// When the first of the loads failed that have failed since the last success; `nil` if the last load succeeded, or none
    /// has ended yet. Cancelled ones do not count. The calendar's time.
    public let failingSince: Date?

    /// Why the last load failed; `nil` if it succeeded, or none has ended yet.
    public let lastError: MobileRulesError?
}
