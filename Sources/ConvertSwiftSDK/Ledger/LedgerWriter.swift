import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore

/// Hands what calls change and report to the ledger: in groups, in the order of the calls, off their threads.
///
/// The next group is what came while the last one was being stored, so the queue empties at any rate. A call adds its
/// part to the queue and returns. Nothing wakes the loop for it, unless the loop sleeps deeply after a while without
/// work: it takes a nap between looks at the queue, because to wake a thread costs a caller more than all the rest.
///
/// While the ledger fails, the queue keeps what there is room for, and the same group is offered again and again. After
/// ``patience`` events go out from memory; what they report is stored later.
final class LedgerWriter: Sendable {
    /// What one call changes and reports.
    struct Item: Sendable {
        let record: VisitorRecord
        var changes: VisitorChanges
        /// The events that are not sent yet, in order, with what each reports.
        var events: [(event: QueuedEvent, fact: LedgerEvent.Fact?)]
    }

    /// A place in the queue; 0 is before all.
    typealias Ticket = Int

    struct State {
        var queue = FIFOQueue<Item>()
        /// Events in `queue`.
        var eventCount = 0
        /// The ticket of the newest item.
        var last: Ticket = 0
        /// The ticket of the newest item that is stored, or given up.
        var stored: Ticket = 0
        var forgets: [Forget] = []
        var waiters: [Waiter] = []
        var owner: UInt32?
        /// Events of `owner` that have ids.
        var lastNumber: UInt32 = 0
        /// Attempts that failed one after the other.
        var failures = 0
        /// Since when the ledger fails.
        var outage: LedgerOutage?
        /// Items that were given up.
        var lost = 0
        /// When the ledger is asked next to remove and forget, and how often that failed before.
        var chores = (due: Duration.zero, failures: 0)
        /// Opens when there is something to do, if the loop sleeps.
        var alarm: Latch?
        /// Opens when somebody waits for what the ledger failed to store, if the loop waits for the next attempt.
        var pause: Latch?
        var phase = Phase.open
        var generator: any RandomNumberGenerator & Sendable
    }

    /// How far the end has come. Each phase includes those before it.
    enum Phase: Sendable, Comparable {
        case open
        /// Nothing is added any more.
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

    /// How many items one transaction takes.
    static let groupSize = 512
    /// How many ids of events one removal takes.
    static let removalSize = 10_000
    /// How long one call of a ledger may take: it may be an app's own code, and must not hold up
    /// others.
    static let callTimeout = Duration.seconds(10)
    /// How long a ledger that failed is left alone though somebody waits for it.
    static let shortestPause = Duration.milliseconds(100)
    private static let nap = Duration.microseconds(200)
    private static let napCount = 100

    let ledger: any Ledger
    /// How many items may wait, and how many events.
    let capacity: Int
    /// How long the ledger may fail before events go out without it.
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
    /// Opens when the loop has ended, and the ledger is closed.
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

    /// What came of adding an item.
    enum Addition: Sendable {
        case made(Ticket)
        /// There is no room for the changes. The events go out from memory, because the ledger has failed for long.
        case unstored
        /// The queue is full.
        case isFull
        /// The queue was closed.
        case isClosed
    }

    /// Adds an item to the queue. Called under the lock of its record, so that those of one visitor are in order.
    func add(_ item: Item) -> Addition {
        var alarm: Latch?
        var released: [QueuedEvent] = []
        let addition = state.withLock { state -> Addition in
            if state.phase >= .closed { return .isClosed }
            let isAway = state.outage.map { time.now - $0.since > patience } ?? false
            let isFull = state.queue.count >= capacity || state.eventCount + item.events.count > capacity
            if isFull && !isAway && !state.queue.isEmpty { return .isFull }
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
            return .made(state.last)
        }
        release(released)
        alarm?.open()
        return addition
    }

    /// Makes the loop look at what `change` adds.
    ///
    /// - Parameter isUrgent: whether somebody waits for it: then a ledger that failed is asked again at once.
    func wake(isUrgent: Bool = false, _ change: (inout State) -> Void = { _ in }) {
        let latches = state.withLock { state in
            change(&state)
            return [state.alarm.take(), isUrgent ? state.pause.take() : nil]
        }
        for latch in latches { latch?.open() }
    }

    /// Begins to work. The loop holds the writer until it is closed.
    func start() {
        Task { [self] in
            var idleCount = 0
            while true {
                // Asked first: what came before the end was called for is still to be done.
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
            // Of what goes out from now on the ledger could not be told, and the next process would send it again.
            delivery.stop()
            await doChores()
            await ledger.close()
            end.open()
        }
    }

    /// What opens when there is something to do; `nil` if there is already.
    private func alarm() -> Latch? {
        let alarm = Latch()
        removals.setAlarm(alarm)
        return state.withLock { state in
            let hasWork = state.hasWork(removals) || state.areChoresDue(removals, time.now)
            let isOver = state.phase >= .ending && state.forgets.isEmpty && removals.isEmpty
            if hasWork || isOver, !PlantedFault.isPlanted("alarm-does-not-look-again") { return nil }
            state.alarm = alarm
            return alarm
        }
    }

    /// Does what waits, one step of each kind. Returns whether there is to be another round.
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

    /// When the ledger is to be asked to remove and forget; `nil` if there is nothing for it to do.
    private var choresDue: Duration? {
        state.withLock { $0.forgets.isEmpty && removals.isEmpty ? nil : $0.chores.due }
    }
}

extension LedgerWriter.State {
    /// Whether there is something to store. To begin an owner is the first thing, so that what an earlier process left
    /// is read.
    func hasWork(_ removals: LedgerRemovals) -> Bool {
        !queue.isEmpty || phase == .open && (owner == nil || removals.needsOwner)
    }

    /// Whether the ledger is to be asked now to remove and forget.
    func areChoresDue(_ removals: LedgerRemovals, _ now: Duration) -> Bool {
        !(forgets.isEmpty && removals.isEmpty) && chores.due <= now
    }

    /// Takes the events out of all items: they go out from memory, and what they report is stored once the ledger is
    /// well.
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

    /// Takes out those that wait for what is stored now.
    mutating func takeWaiters() -> [LedgerWriter.Waiter] {
        let isEarly = PlantedFault.isPlanted("waiters-woken-early")
        let due = waiters.filter { $0.ticket <= stored || isEarly }
        if !due.isEmpty { waiters.removeAll { $0.ticket <= stored || isEarly } }
        return due
    }
}
