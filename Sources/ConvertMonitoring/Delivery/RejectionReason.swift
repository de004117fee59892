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
