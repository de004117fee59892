/// Why the SDK gave up a tracking event. More reasons may be added.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RejectionReason: Sendable, Hashable, Codable {
    /// The endpoint refused the event's contents: it answered 400, 413 or 422 to a request with this event alone.
    case refused(status: Int)
    /// The SDK key, or the config's account or project id, cannot be part of a URL.
    case unaddressed
    /// The queue was full.
    case overflow
    /// The event was tracked after the SDK was shut down.
    case shutDown
    /// The ledger returned bytes that are not an event.
    case unreadable
    /// The ledger no longer has the event.
    case lostByLedger
    /// The visitor's decision or goal that the event reports was already stored, by another process or an earlier one.
    case countedElsewhere
    /// Another process that shares the ledger took over the event because this process's lease ended, and delivers it.
    case takenOver
    /// The event's visitor was forgotten; see `ConvertSDK.forget(visitorID:)`.
    case forgotten
}
