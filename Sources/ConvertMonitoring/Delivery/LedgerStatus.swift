#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The state of an SDK's ledger.
public struct LedgerStatus: Sendable, Hashable {
    /// When the ledger began to fail; `nil` if its last call succeeded.
    public let failingSince: Date?

    /// Why the ledger fails, without stored or sent data; `nil` if it does not fail.
    public let reason: String?

    /// The number of calls whose changes and events the ledger has not confirmed yet.
    public let waitingEntries: Int

    /// The number of calls whose changes will never be stored, because too many waited while the ledger failed.
    public let lostEntries: Int

    /// Whether the ledger's last call succeeded.
    public var isAvailable: Bool { failingSince == nil }

    package init(failingSince: Date?, reason: String?, waitingEntries: Int, lostEntries: Int) {
        self.failingSince = failingSince
        self.reason = reason
        self.waitingEntries = waitingEntries
        self.lostEntries = lostEntries
    }
}
