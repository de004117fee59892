#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How current an SDK's config is, for health checks.
///
///     let status = sdk.configStatus
///     if let start = status.failingSince { print("no new config since \(start): \(status.lastError?.message ?? "")") }
public struct ConfigStatus: Sendable, Hashable {
    /// The revision of the config in use: eight hexadecimal digits that the same bytes have on every machine, as in the
    /// log and in a decision log. `nil` if there is no config, or the app passed it as a value.
    public let revision: String?

    /// The time since the config was last known to be current: fetched, confirmed by the endpoint, read from its file,
    /// or given by the app. It is measured by a monotonic clock. `nil` until then, for example while a copy on disk is
    /// in use.
    public let age: Duration?

    /// When the current run of failed fetches began; `nil` if the last fetch succeeded or none has ended.
    public let failingSince: Date?

    /// Why the last fetch failed; `nil` if it succeeded, or none has ended yet.
    public let lastError: ConvertError?
}
