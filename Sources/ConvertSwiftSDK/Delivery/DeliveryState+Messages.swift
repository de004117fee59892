import ConvertLedgers
import ConvertMonitoring

extension DeliveryState {
    /// What happened.
    enum Input: Sendable {
        /// Events were tracked, and there is no ledger.
        case accepted([QueuedEvent])
        /// Events were tracked, and are on their way to the ledger.
        case announced(Int)
        /// The ledger has events that were announced. `unreported` others are not sent: their facts were reported
        /// before.
        case stored([QueuedEvent], unreported: Int)
        /// Events that were announced go out without the ledger, which has failed for long.
        case released([QueuedEvent])
        /// Events that were announced are given up.
        case dropped(Int, RejectionReason)
        /// The process has an owner's number in the ledger.
        case ownerBegan(UInt32)
        /// The ledger fails to give the process an owner's number, and is asked again later.
        case ownerDelayed
        /// Others may have taken over what the ledger has.
        case ownerEnded
        /// The visitor's events are to be given up.
        case forgotten(ForgottenVisitor)
        /// The ledger has forgotten the visitor.
        case ledgerForgot(ForgottenVisitor)
        /// Events were given up on their way here.
        case refused(Int, RejectionReason)
        /// ``DeliveryState/wakeTime`` has come.
        case timer
        /// The request ended.
        case sent(SendResult)
        /// Everything that waits is to go out now; ends with ``Action/flushEnded``, after a failure too.
        case flush
        /// As `flush`, but neither failures nor new events end it: it is tried again as soon as the policy allows. Once
        /// nothing waits, or nothing can be sent before the deadline, it ends. `stopped` is to follow.
        case drain(until: Duration)
        /// Sending is allowed or not, for as long as the app wants.
        case allowed(Bool)
        /// The ledger gave events, fewer than asked for if `isEnd`, and ids whose bytes are no event.
        case read([QueuedEvent], unreadable: [EventID], isEnd: Bool)
        /// The ledger could not be read.
        case readFailed
        /// The ledger gave events of a process that has ended, and ids whose bytes are no event.
        case takenOver([QueuedEvent], unreadable: [EventID])
        /// Nothing is to be sent any more. What is under way counts as waiting.
        case stopped
    }

    /// How a request ended.
    enum SendResult: Sendable, Hashable {
        /// The endpoint took the events.
        case delivered
        /// The endpoint refuses the request for what is in its body.
        case refused(status: Int)
        /// There is no address for them, and never will be.
        case unaddressed
        /// Nothing was sent, because another process has taken these over.
        case takenOver(Set<EventID>)
        /// There was no answer, or one that does not concern the events.
        case failed(DeliveryOutage.Cause = .unavailable, status: Int?, retryAfter: Duration?)
    }

    /// Why events were sent.
    enum ReleaseReason: String, Sendable, Hashable {
        case size, timeout, flush, retry
    }

    /// What is to be done.
    enum Action: Sendable {
        /// Send these events of one destination, and say ``Input/sent(_:)`` then.
        case send([QueuedEvent], reason: ReleaseReason)
        /// Read the ledger, and say ``Input/read(_:unreadable:isEnd:)`` or ``Input/readFailed`` then.
        case readLedger(after: EventID?, limit: Int)
        /// Remove events from the ledger.
        case forget([EventID])
        /// Tell that events were given up.
        case report(count: Int, RejectionReason)
        /// Log that events wait in an outage that does not pass by itself. Comes once for each cause in an outage.
        case warn(DeliveryOutage.Cause, status: Int)
        /// What was to be flushed is out, given up, or failed once.
        case flushEnded
    }
}
