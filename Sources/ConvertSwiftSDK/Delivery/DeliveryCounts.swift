/// Where the tracking events of one SDK are.
///
/// At any moment ``accepted`` + ``restored`` = ``delivered`` + ``queued`` + the sum of ``rejected``: an event is never
/// in two of them, and never in none.
public struct DeliveryCounts: Sendable, Hashable {
    /// Events that were tracked.
    public internal(set) var accepted = 0

    /// Events that an earlier process left in the ledger and that were taken over.
    public internal(set) var restored = 0

    /// Events that the endpoint took.
    public internal(set) var delivered = 0

    /// Events that wait, in memory or in the ledger, or are under way right now. What is under way when the process
    /// ends may have arrived nevertheless.
    public internal(set) var queued = 0

    /// Events that were given up, by why.
    public internal(set) var rejected: [RejectionReason: Int] = [:]

    /// No events.
    public init() {}

    /// All events that were given up.
    public var rejectedTotal: Int { rejected.values.reduce(0, +) }

    mutating func reject(_ count: Int, _ reason: RejectionReason) {
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

/// Why a tracking event was given up. More reasons may be added.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RejectionReason: Sendable, Hashable, Codable {
    /// The endpoint refuses what is in it: it answered with this status, 400, 413 or 422, to a request with this event
    /// alone.
    case refused(status: Int)
    /// Its SDK key, or the account's or project's id of its config, cannot be part of a URL.
    case unaddressed
    /// The queue was full.
    case overflow
    /// It was tracked after the SDK was shut down.
    case shutDown
    /// The ledger gave back bytes that are no event.
    case unreadable
    /// The ledger no longer has it.
    case lostByLedger
    /// It reports a decision or a goal of a visitor that was stored before, by another process or by an earlier one.
    case countedElsewhere
    /// Another process that shares the ledger took it over, because this one gave no sign of life, and delivers it.
    case takenOver
    /// Its visitor was forgotten, see `ConvertSDK.forget(visitorID:)`.
    case forgotten
}
