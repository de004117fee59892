public import Foundation

/// How current an SDK's config is, for health checks.
///
///     let status = sdk.configStatus
///     if let start = status.failingSince { print("no new config since \(start): \(status.lastError?.message ?? "")") }
public struct ConfigStatus: Sendable, Hashable {
    /// Which config is in use: eight digits that are the same wherever the same bytes are read, as in the log and in a decision
    /// log. `nil` if there is no config, or the app gave it as a value.
    public let revision: String?

    /// How long ago the config was last known to be current: it was fetched, the endpoint answered that it has not changed, its
    /// file was read, or the app gave it. It grows by the monotonic clock. `nil` if that never happened in this process, as long as
    /// the config is a copy on disk, or there is none.
    public let age: Duration?

    /// When the first of the fetches failed that have failed since the last success; `nil` if the last fetch succeeded, or none
    /// has ended yet. The calendar's time.
    public let failingSince: Date?

    /// Why the last fetch failed; `nil` if it succeeded, or none has ended yet.
    public let lastError: ConvertError?
}
