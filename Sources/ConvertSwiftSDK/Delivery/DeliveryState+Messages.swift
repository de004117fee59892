extension DeliveryState {
    /// What happened.
    enum Input: Sendable {
        /// The performer is ready; what an earlier process left is asked for.
        case started
        /// An event was tracked, and appended to the journal if there is one and it could take it, in one step with those that
        /// follow it.
        case accepted(QueuedEvent, following: Int = 0)
        /// So many events were given up on their way here.
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
        /// The journal took events that it could not take when they came: their serials, and the ids.
        case journaled([(serial: Int, id: Int64)])
        /// The journal gave rows up to `through`, fewer than asked for if `isEnd`: events, and ids whose bytes are nothing
        /// that it was given.
        case read([QueuedEvent], unreadable: [Int64], through: Int64 = 0, isEnd: Bool)
        /// The journal could not be read.
        case readFailed
        /// The journal gave rows of a process that has ended: events, and so many whose bytes are none.
        case takenOver([QueuedEvent], unreadable: Int)
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
        /// Read the journal, and say ``Input/read(_:unreadable:isEnd:)`` or ``Input/readFailed`` then.
        case readJournal(after: Int64, limit: Int)
        /// Remove events from the journal.
        case forget([Int64])
        /// Tell that events were given up.
        case report(count: Int, RejectionReason)
        /// Log that events wait in an outage that does not pass by itself. Comes once for each cause in an outage.
        case warn(DeliveryOutage.Cause, status: Int)
        /// Tell that the journal gives ids that it must not give.
        case distrustJournal
        /// The journal is to be offered again what is in memory only.
        case offerJournal
        /// What was to be flushed is out, given up, or failed once.
        case flushEnded
    }
}
