/// The number of tracking events of one SDK, by state.
///
/// At any moment ``accepted`` + ``restored`` = ``delivered`` + ``queued`` + the sum of ``rejected``: each event is in
/// exactly one state.
public struct DeliveryCounts: Sendable, Hashable {
    /// Events that the app tracked.
    public package(set) var accepted = 0

    /// Events of earlier or other processes that this process took over from the ledger.
    public package(set) var restored = 0

    /// Events that the endpoint accepted.
    public package(set) var delivered = 0

    /// Events that wait, in memory or in the ledger, or are in a request right now. Events that are in a request when
    /// the process ends may have arrived.
    public package(set) var queued = 0

    /// Events that were rejected, by reason.
    public package(set) var rejected: [RejectionReason: Int] = [:]

    /// Creates counts of 0.
    public init() {}

    /// The number of all rejected events.
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
