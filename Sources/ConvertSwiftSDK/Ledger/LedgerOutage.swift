#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An outage of the ledger: its beginning and reason.
struct LedgerOutage: Sendable {
    let since: Duration
    let date: Date
    /// The reason of the last failure.
    let reason: String
}
