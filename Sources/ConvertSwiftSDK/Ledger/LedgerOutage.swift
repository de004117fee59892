#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Since when a ledger fails, and why.
struct LedgerOutage: Sendable {
    let since: Duration
    let date: Date
    /// What the last failure was.
    let reason: String
}
