import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring

/// Writes the changes and events of calls to the ledger: in groups, in the order of the calls, off their threads.
///
/// The next group is everything that was added while the last one was being stored. A call adds its part to the queue
/// and returns. Between looks at the queue, the loop takes short naps, because waking a thread costs a caller more than
/// all its other work. Only after a while without work does the loop sleep until a call wakes it.
///
/// While the ledger fails, the queue keeps entries within its capacity, and the same group is retried. After
/// ``patience``, events are sent from memory, and their changes are stored later.
final class LedgerWriter: Sendable {
    /// The changes and events of one call.
    struct Item: Sendable {
        let record: VisitorRecord
        var changes: VisitorChanges
        /// The events that are not sent yet, in order, each with the fact that it reports.
        var events: [(event: QueuedEvent, fact: LedgerEvent.Fact?)]
    }

    /// A position in the queue; 0 precedes all.
    typealias Ticket = Int

    struct State {
        var queue = FIFOQueue<Item>()
        /// The number of events in `queue`.
        var eventCount = 0
        /// The ticket of the newest item.
        var last: Ticket = 0
        /// The ticket of the newest item that was stored or dropped.
        var stored: Ticket = 0
        /// Like `stored`, but the delivery has the items' events as well.
        var settled: Ticket = 0
        var forgets: [Forget] = []
        var waiters: [Waiter] = []
        var owner: UInt32?
        /// The number of `owner`'s events that have ids.
        var lastNumber: UInt32 = 0
        /// The number of successive failed attempts.
        var failures = 0
        /// The current outage of the ledger.
        var outage: LedgerOutage?
        /// The number of items that were dropped.
        var lost = 0
        /// When the ledger is next asked to remove and forget, and how often that has failed.
        var chores = (due: Duration.zero, failures: 0)
        /// Opens when there is work, if the loop sleeps.
        var alarm: Latch?
        /// Opens when a caller waits for the ledger, if the loop waits before the next attempt.
        var pause: Latch?
        var phase = Phase.open
        var generator: any RandomNumberGenerator & Sendable
    }

    /// The phases of the shutdown. Each includes those before it.
    enum Phase: Sendable, Comparable {
        case open
        /// The queue accepts nothing more.
        case closed
        /// The loop ends once nothing is left to do.
        case ending
        /// The loop ends with the next failure.
        case givenUp
    }

    struct Forget: Sendable {
        let record: VisitorRecord
        let visitor: ForgottenVisitor
        let end: Latch
    }

    struct Waiter: Sendable {
        let ticket: Ticket
        let end: Latch
    }

    /// The maximum number of items in one transaction.
    static let groupSize = 512
    /// The maximum number of ids in one removal.
    static let removalSize = 10_000
    /// The time limit of one call of a ledger, which may be an app's own code and must not delay others.
    static let callTimeout = Duration.seconds(10)
    /// The minimum wait after a failure, even if a caller waits for the ledger.
    static let shortestPause = Duration.milliseconds(100)
    private static let nap = Duration.microseconds(200)
    private static let napCount = 100

    let ledger: any Ledger
    /// The maximum number of waiting items, and of their events.
    let capacity: Int
    /// How long the ledger may fail before events are sent without it.
    let patience: Duration
    let time: any TimeSource
    let log: Diagnostics
    let hub: EventHub
    let delivery: EventDelivery
    let removals: LedgerRemovals
    let state: Mutex<State>
    let commits = ExclusiveCall()
    let backoff = Backoff(first: .milliseconds(200), longest: .seconds(10))
    let choreBackoff = Backoff(first: .milliseconds(200), longest: .seconds(2))
    /// Opens when the loop has ended and the ledger is closed.
    let end = Latch()

    init(
        _ ledger: any Ledger, capacity: Int, patience: Duration, surroundings: Surroundings, log: Diagnostics,
        hub: EventHub, delivery: EventDelivery
    ) {
        self.ledger = ledger
        self.capacity = max(1, capacity)
        self.patience = max(.zero, patience)
        time = surroundings.time
        self.log = log
        self.hub = hub
        self.delivery = delivery
        removals = delivery.removals
        state = Mutex(State(generator: surroundings.makeGenerator()))
    }

    /// Adds an item to the queue. Called under the lock of its record, so that a visitor's items are in order.
    func add(_ item: Item) -> VisitorRecord.Handover {
        var alarm: Latch?
        var released: [QueuedEvent] = []
        let handover = state.withLock { state -> VisitorRecord.Handover in
            if state.phase >= .closed { return item.events.isEmpty ? .done : .refused(.shutDown) }
            let isAway = state.outage.map { time.now - $0.since > patience } ?? false
            let isFull = state.queue.count >= capacity || state.eventCount + item.events.count > capacity
            if isFull && !isAway && !state.queue.isEmpty { return .refused(.overflow) }
            if !item.events.isEmpty { delivery.handle(.announced(item.events.count)) }
            if isAway { released = item.events.map(\.event) }
            if isAway && state.queue.count >= capacity {
                state.lost += 1
                return .unstored
            }
            state.last += 1
            state.queue.append(isAway ? Item(record: item.record, changes: item.changes, events: []) : item)
            if !isAway { state.eventCount += item.events.count }
            state.checkInvariants(capacity: capacity)
            alarm = state.alarm.take()
            return .queued(state.last)
        }
        release(released)
        alarm?.open()
        return handover
    }

    /// Applies `change`, and wakes the loop.
    ///
    /// - Parameter isUrgent: whether a caller waits, so that a failed ledger is retried sooner.
    func wake(isUrgent: Bool = false, _ change: (inout State) -> Void = { _ in }) {
        let latches = state.withLock { state in
            change(&state)
            return [state.alarm.take(), isUrgent ? state.pause.take() : nil]
        }
        for latch in latches { latch?.open() }
    }

    /// Starts the loop, which retains the writer until it is closed.
    func start() {
        Task { [self] in
            var idleCount = 0
            while true {
                // Checked first: everything added before the shutdown is still stored.
                let isEnding = state.withLock { $0.phase >= .ending }
                if await work() {
                    idleCount = 0
                } else if isEnding && choresDue == nil || state.withLock({ $0.phase == .givenUp }) {
                    break
                } else if idleCount < Self.napCount {
                    idleCount += 1
                    await time.rest(for: Self.nap)
                } else {
                    idleCount = 0
                    _ = await alarm()?.wait(until: choresDue, by: time)
                }
            }
            // Events sent after this could not be removed from the ledger, and the next process would send them again.
            delivery.stop()
            await doChores()
            await ledger.close()
            end.open()
        }
    }

    /// The latch that opens when there is work; `nil` if there already is work.
    private func alarm() -> Latch? {
        let alarm = Latch()
        removals.setAlarm(alarm)
        return state.withLock { state in
            let hasWork = state.hasWork(removals) || state.areChoresDue(removals, time.now)
            let isOver = state.phase >= .ending && state.forgets.isEmpty && removals.isEmpty
            if hasWork || isOver { return nil }
            state.alarm = alarm
            return alarm
        }
    }

    /// Does one step of each kind of work. Returns whether to continue with another round.
    private func work() async -> Bool {
        let (hasWork, areChoresDue) = state.withLock { state in
            (state.hasWork(removals), state.areChoresDue(removals, time.now))
        }
        guard hasWork || areChoresDue else { return false }
        do {
            try await beginOwner()
            if areChoresDue { await doChores() }
            try await storeGroup()
            didSucceed()
        } catch {
            await didFail(error)
            return state.withLock { $0.phase < .givenUp }
        }
        return true
    }

    /// When the ledger is to remove and forget; `nil` if there is nothing to remove or forget.
    private var choresDue: Duration? {
        state.withLock { $0.forgets.isEmpty && removals.isEmpty ? nil : $0.chores.due }
    }
}

extension LedgerWriter.State {
    /// Whether there is something to store. Beginning an owner comes first, so that events of earlier processes are
    /// read.
    func hasWork(_ removals: LedgerRemovals) -> Bool {
        !queue.isEmpty || phase == .open && (owner == nil || removals.needsOwner)
    }

    /// Whether the ledger must remove and forget now.
    func areChoresDue(_ removals: LedgerRemovals, _ now: Duration) -> Bool {
        !(forgets.isEmpty && removals.isEmpty) && chores.due <= now
    }

    /// Removes the events of all items. They are sent from memory, and their changes are stored once the ledger works.
    mutating func releaseEvents() -> [QueuedEvent] {
        if eventCount == 0 { return [] }
        var released: [QueuedEvent] = []
        _ = queue.updatePrefix(.max) { item in
            released += item.events.map(\.event)
            if !PlantedFault.isPlanted("released-event-stored-too") { item.events = [] }
        }
        eventCount = 0
        return released
    }

    /// Removes and returns the waiters whose items are stored now.
    mutating func takeWaiters() -> [LedgerWriter.Waiter] {
        let isEarly = PlantedFault.isPlanted("waiters-woken-early")
        let due = waiters.filter { $0.ticket <= stored || isEarly }
        if !due.isEmpty { waiters.removeAll { $0.ticket <= stored || isEarly } }
        return due
    }
}
