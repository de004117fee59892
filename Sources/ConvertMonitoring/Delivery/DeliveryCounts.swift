/// Where the tracking events of one SDK are.
///
/// At any moment ``accepted`` + ``restored`` = ``delivered`` + ``queued`` + the sum of ``rejected``: an event is never
/// in two of them, and never in none.
public struct DeliveryCounts: Sendable, Hashable {
    /// Events that were tracked.
    public package(set) var accepted = 0

    /// Events that an earlier process left in the ledger and that were taken over.
    public package(set) var restored = 0

    /// Events that the endpoint took.
    public package(set) var delivered = 0

    /// Events that wait, in memory or in the ledger, or are under way right now. What is under way when the process
    /// ends may have arrived nevertheless.
    public package(set) var queued = 0

    /// Events that were given up, by why.
    public package(set) var rejected: [RejectionReason: Int] = [:]

    /// No events.
    public init() {}

    /// All events that were given up.
    public var rejectedTotal: Int { rejected.values.reduce(0, +) }

    package mutating func reject(_ count: Int, _ reason: RejectionReason) {
        if count > 0 { rejected[reason, default: 0] += count }
    }
}

extension DeliveryCounts: CustomStringConvertible {
    /// The counts in one line.
    public var description: String {
        let total = rejectedTotal
        let reasons = rejected.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", ")
        return "\(accepted) accepted, \(restored) restored, \(delivered) delivered, \(queued) queued, \(total) rejected"
            + (total == 0 ? "" : " (\(reasons))")
    }
}
