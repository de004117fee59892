import ConvertLedgers
import ConvertMonitoring

extension DeliveryState {
    /// An input of the state machine.
    enum Input: Sendable {
        /// Events were tracked, and there is no ledger.
        case accepted([QueuedEvent])
        /// Events were tracked, and are in the ledger writer's queue.
        case announced(Int)
        /// The ledger has stored announced events. `unreported` further ones are not sent: their facts were reported
        /// before.
        case stored([QueuedEvent], unreported: Int)
        /// Announced events are sent without the ledger, which has failed for long.
        case released([QueuedEvent])
        /// Announced events are rejected.
        case dropped(Int, RejectionReason)
        /// The ledger has begun an owner for this process.
        case ownerBegan(UInt32)
        /// The ledger has failed to begin an owner. The writer retries later.
        case ownerDelayed
        /// Other processes may have taken over events in the ledger.
        case ownerEnded
        /// The visitor's events must be rejected.
        case forgotten(ForgottenVisitor)
        /// The ledger has forgotten the visitor.
        case ledgerForgot(ForgottenVisitor)
        /// Events were rejected before they reached this state.
        case refused(Int, RejectionReason)
        /// ``DeliveryState/wakeTime`` has been reached.
        case timer
        /// The request ended.
        case sent(SendResult)
        /// Send all waiting events now. Ends with ``Action/flushEnded``, even after a failure.
        case flush
        /// Like `flush`, but failures and new events do not end it: sending is retried as the policy allows. Ends when
        /// no events wait, or nothing can be sent before the deadline. `stopped` must follow.
        case drain(until: Duration)
        /// The app has allowed or forbidden sending.
        case allowed(Bool)
        /// The ledger returned events (fewer than requested if `isEnd`), and ids whose bytes are not an event.
        case read([QueuedEvent], unreadable: [EventID], isEnd: Bool)
        /// Reading the ledger failed.
        case readFailed
        /// The ledger returned events of an ended process, and ids whose bytes are not an event.
        case takenOver([QueuedEvent], unreadable: [EventID])
        /// Sending ends. Events of the running request count as waiting.
        case stopped
    }

    /// The result of a request.
    enum SendResult: Sendable, Hashable {
        /// The endpoint accepted the events.
        case delivered
        /// The endpoint refuses the contents of the request's body.
        case refused(status: Int)
        /// The events' SDK key or ids can never be part of a URL.
        case unaddressed
        /// Nothing was sent, because another process has taken over these events.
        case takenOver(Set<EventID>)
        /// There was no response, or one that does not concern the events.
        case failed(DeliveryOutage.Cause = .unavailable, status: Int?, retryAfter: Duration?)
    }

    /// Why events are sent.
    enum ReleaseReason: String, Sendable, Hashable {
        case size, timeout, flush, retry
    }

    /// An action that the caller must perform.
    enum Action: Sendable {
        /// Send these events of one destination, then report ``Input/sent(_:)``.
        case send([QueuedEvent], reason: ReleaseReason)
        /// Read the ledger, then report ``Input/read(_:unreadable:isEnd:)`` or ``Input/readFailed``.
        case readLedger(after: EventID?, limit: Int)
        /// Remove events from the ledger.
        case forget([EventID])
        /// Report that events were rejected.
        case report(count: Int, RejectionReason)
        /// Log that events wait in an outage that does not end by itself. Requested once per cause in an outage.
        case warn(DeliveryOutage.Cause, status: Int)
        /// The flush has ended: its events were sent or rejected, or sending failed once.
        case flushEnded
    }
}
