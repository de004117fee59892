#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How an SDK's ledger is.
public struct LedgerStatus: Sendable, Hashable {
    /// Since when the ledger fails; `nil` if its last answer was a good one.
    public let failingSince: Date?

    /// Why it fails, without anything that was stored or sent.
    public let reason: String?

    /// Number of calls whose changes and events the ledger has not confirmed yet.
    public let waitingEntries: Int

    /// Number of calls whose changes will never be stored, because there was no room for them while the ledger failed.
    public let lostEntries: Int

    /// Whether the ledger takes what it is given.
    public var isAvailable: Bool { failingSince == nil }

    package init(failingSince: Date?, reason: String?, waitingEntries: Int, lostEntries: Int) {
        self.failingSince = failingSince
        self.reason = reason
        self.waitingEntries = waitingEntries
        self.lostEntries = lostEntries
    }
}
