import ConvertConcurrency
import ConvertMonitoring

/// The state machine of event delivery: which events wait, which are being sent, and when to act. It has no clock,
/// network or disk.
///
/// Inputs describe what happened; the returned actions must be performed:
///
///     var state = DeliveryState(policy: DeliveryPolicy(), hasLedger: false)
///     let actions = state.handle(.accepted(event), now: now, using: &generator)
///     // … perform them, and handle(.timer) at `state.wakeTime`
///
/// Events of one destination are sent in order, except for events that are sent from memory while the ledger fails. At
/// most one request runs at a time. With a ledger, the memory has a window of all events: first `queue`, then the
/// `stored` events that only the ledger has. `announced` events are in the writer's queue, and are passed here once the
/// ledger has them. Events that the ledger has are never dropped for lack of room.
///
/// While a destination pauses, its events keep their places in `queue`, and events of other destinations pass them. If
/// they would leave no room for others, the ledger keeps them for the next start (`DeliveryState+NextStart.swift`).
struct DeliveryState: Sendable {
    /// The limits and intervals.
    let policy: DeliveryPolicy

    /// When ``Input/timer`` is due; `nil` for never.
    private(set) var wakeTime: Duration?

    var tally = DeliveryCounts()
    /// A slice: removing its front takes constant time, and removed elements are freed when it grows next.
    var queue: ArraySlice<QueuedEvent> = []
    var inFlight: [QueuedEvent] = []
    /// The bytes of the events in memory.
    var bytes = 0
    /// The number of events that only the ledger has.
    var stored = 0
    /// The number of events in the ledger writer's queue.
    var announced = 0
    var lastSerial = 0
    /// Visitors that are being forgotten, whose events may still appear.
    var forgetting: [Forgetting] = []
    /// Whether events may be missing in the ledger because their visitor was forgotten.
    var mayMissForgotten = false
    /// Whether other processes may have taken over events in the ledger.
    var hasLostOwner = false
    var position: LedgerPosition?

    /// The number of successive failed reads of the ledger.
    var readFailures = 0
    private(set) var isSending = false
    /// The destinations that were refused or paused by the endpoint's last responses; seldom more than one.
    var standings: [DestinationStanding] = []
    /// The number of events at the front of `queue` whose destinations pause until at least `heldUntil`. Stored, so
    /// that each event is checked once per pause, not again for each new event.
    var heldCount = 0
    private var heldUntil = Duration.zero
    /// The destinations of this process's events, the current one last; seldom more than one.
    var tracked: [TrackingDestination] = []
    /// Destinations whose events, except the oldest, the ledger keeps for the next start.
    var postponed: [TrackingDestination] = []
    /// The number of events that the ledger keeps for the next start.
    var postponedCount = 0
    /// Whether sending has ended.
    private(set) var isStopped = false
    /// When the first event in `queue` has waited long enough for others.
    private var releaseTime: Duration?
    /// The numbers of events that have entered and left. A flush ends when `left` reaches the value of `entered` at its
    /// start.
    private(set) var entered = 0
    private(set) var left = 0
    private(set) var flushTarget: Int?
    /// The deadline of the running drain.
    private(set) var drainEnd: Duration?
    /// Whether the app allows sending.
    private(set) var isAllowed = true

    /// Creates a state without events.
    init(policy: DeliveryPolicy, hasLedger: Bool) {
        self.policy = policy
        if hasLedger { position = LedgerPosition() }
    }

    /// The number of events by state.
    var counts: DeliveryCounts {
        var counts = tally
        counts.queued = announced + queue.count + inFlight.count + stored + postponedCount
        return counts
    }

    /// Whether the ledger has all waiting events.
    var isStored: Bool {
        position != nil && announced == 0 && [inFlight[...], queue].joined().allSatisfy { $0.ledgerID != nil }
    }

    /// Processes `input` at `now`, a monotonic time. Returns the actions to perform, in order.
    mutating func handle(
        _ input: consuming Input, now: Duration, using generator: inout some RandomNumberGenerator
    ) -> [Action] {
        var actions: [Action] = []
        switch consume input {
        case .timer: break
        case .accepted(let events): for event in events { accept(event, &actions) }
        case .announced(let count):
            tally.accepted += count
            announced += count
            return []
        case .stored(let events, let unreported):
            for event in events { take(stored: event, &actions) }
            announced -= unreported
            reject(unreported, .countedElsewhere, &actions)
        case .released(let events): for event in events { release(event, &actions) }
        case .dropped(let count, let reason):
            announced -= count
            reject(count, reason, &actions)
        case .ownerBegan(let owner): position?.didBegin(owner)
        case .ownerEnded: hasLostOwner = true
        case .ownerDelayed: position?.didNotBegin()
        case .forgotten(let visitor): forget(visitor, &actions)
        case .ledgerForgot(let visitor): didForget(visitor)
        case .refused(let count, let reason):
            tally.accepted += count
            reject(count, reason, &actions)
        case .sent(let result): finish(result, now: now, using: &generator, &actions)
        case .flush: flush(now: now)
        case .drain(let end):
            drainEnd = end
            flush(now: now)
        case .allowed(let isAllowed): allow(isAllowed, now: now)
        case .read(let events, let unreadable, let isEnd):
            take(read: events, unreadable: unreadable, isEnd: isEnd, now: now, &actions)
            didReadForgotten(isEnd: isEnd)
            postpone()
        case .readFailed:
            didReadForgotten(isEnd: false)
            readFailures += 1
            failRead(retryAt: now + policy.backoff.delay(after: readFailures, using: &generator), &actions)
        case .takenOver(let events, let unreadable): takeOver(events, unreadable: unreadable, &actions)
        case .stopped: stop(&actions)
        }
        advance(now: now, &actions)
        checkInvariants()
        return actions
    }

    /// The number of events in memory.
    var inMemory: Int { queue.count + inFlight.count }

    /// Counts rejected events, and reports them.
    mutating func reject(_ count: Int, _ reason: RejectionReason, _ actions: inout [Action]) {
        if count == 0 { return }
        tally.reject(count, reason)
        actions.append(.report(count: count, reason))
    }

    mutating func give(up events: [QueuedEvent], _ reason: RejectionReason, _ actions: inout [Action]) {
        reject(events.count, reason, &actions)
        forget(events, &actions)
    }

    private func forget(_ events: [QueuedEvent], _ actions: inout [Action]) {
        let ids = events.compactMap(\.ledgerID)
        if !ids.isEmpty { actions.append(.forget(ids)) }
    }

    private mutating func finish(
        _ result: SendResult, now: Duration, using generator: inout some RandomNumberGenerator,
        _ actions: inout [Action]
    ) {
        guard isSending, let destination = inFlight.first?.destination else { return }
        isSending = false
        let events = inFlight
        inFlight = []
        heldCount = 0
        let index = indexOfStanding(of: destination)
        switch result {
        case .delivered:
            standings[index].didDeliver(events.count)
            tally.delivered += events.count
            forget(events, &actions)
            leave(events, now: now)
            if events.count > 2, PlantedFault.isPlanted("delivery-doubled") {
                tally.accepted += events.count
                queue += events
            }
        case .refused(let status):
            let isTooMuch = standings[index].didRefuse(events.count, limit: policy.refusalLimit)
            if events.count == 1 || PlantedFault.isPlanted("refused-body-loses-all") {
                give(up: events, .refused(status: status), &actions)
                leave(events, now: now)
            } else {
                queue.insert(contentsOf: events, at: queue.startIndex)
            }
            if isTooMuch { pause(index, .request, status, retryAfter: nil, now: now, using: &generator, &actions) }
        case .unaddressed:
            standings[index].didGiveUp(events.count)
            give(up: events, .unaddressed, &actions)
            leave(events, now: now)
        case .takenOver(let ids):
            func isLost(_ event: QueuedEvent) -> Bool { event.ledgerID.map { ids.contains($0) } ?? false }
            let lost = events.filter(isLost)
            reject(lost.count, .takenOver, &actions)
            leave(lost, now: now)
            // There may be no further request that would end the outage.
            if lost.count == events.count { standings[index].didGiveUp(lost.count) }
            queue.insert(contentsOf: events.filter { !isLost($0) }, at: queue.startIndex)
        case .failed(let cause, let status, let retryAfter):
            if cause == .credentials, PlantedFault.isPlanted("outage-loses-events") {
                give(up: events, .refused(status: status ?? 0), &actions)
                leave(events, now: now)
            } else if status == 408, PlantedFault.isPlanted("timeout-counts-as-delivery") {
                tally.delivered += events.count
                leave(events, now: now)
            } else if !PlantedFault.isPlanted("retry-dropped") {
                queue.insert(contentsOf: events, at: queue.startIndex)
            }
            pause(index, cause, status, retryAfter: retryAfter, now: now, using: &generator, &actions)
        }
        if standings[index].isClear { standings.remove(at: index) }
        didSendForgotten(&actions)
    }

    private mutating func leave(_ events: [QueuedEvent], now: Duration) {
        left += events.count
        bytes -= events.byteCount
        releaseTime = queue.isEmpty ? nil : now + policy.releaseInterval
    }

    private mutating func flush(now: Duration) {
        flushTarget = entered
        position?.readAgain()
        for index in standings.indices { standings[index].endPause() }
        heldCount = 0
    }

    private mutating func allow(_ isAllowed: Bool, now: Duration) {
        if isAllowed && !self.isAllowed { releaseTime = now }
        self.isAllowed = isAllowed
    }

    private mutating func endFlush(_ actions: inout [Action]) {
        guard flushTarget != nil else { return }
        flushTarget = nil
        drainEnd = nil
        actions.append(.flushEnded)
    }

    private mutating func stop(_ actions: inout [Action]) {
        isStopped = true
        isSending = false
        if !PlantedFault.isPlanted("stop-drops-request") { queue.insert(contentsOf: inFlight, at: queue.startIndex) }
        inFlight = []
        heldCount = 0
        didSendForgotten(&actions)
        endFlush(&actions)
    }

    mutating func enqueue(_ event: consuming QueuedEvent) {
        bytes += event.byteCount
        // Reserves room for a usual batch: an empty array would otherwise be reallocated four times.
        if queue.isEmpty { queue.reserveCapacity(10) }
        queue.append(event)
    }

    mutating func failRead(retryAt time: Duration, _ actions: inout [Action]) {
        position?.readFailed(retryAt: time)
        if drainEnd == nil { endFlush(&actions) }
    }

    /// Counts events that entered or left in other ways than by being tracked or sent.
    mutating func count(entered: Int = 0, left: Int = 0) {
        self.entered += entered
        self.left += left
    }

    /// Counts an event of an earlier process that was read. It is sent before this process's events, so a flush waits
    /// for it as well.
    mutating func countRestored() {
        entered += 1
        if let target = flushTarget, !PlantedFault.isPlanted("flush-counts-restored-events") {
            flushTarget = target + 1
        }
    }

    /// Starts due actions, and computes the next wake-up.
    private mutating func advance(now: Duration, _ actions: inout [Action]) {
        wakeTime = nil
        if isStopped {
            endFlush(&actions)
            return
        }
        if let limit = position?.readLimit(in: self, now: now) {
            actions.append(.readLedger(after: position?.beginRead(), limit: limit))
        }
        send(now: now, &actions)
        endFlushIfOver(now: now, &actions)
        if isStopped { return }
        if let retry = position?.retryTime(in: self) { wakeTime = min(wakeTime ?? retry, retry) }
    }

    private mutating func endFlushIfOver(now: Duration, _ actions: inout [Action]) {
        guard let target = flushTarget else { return }
        let willRestore = position?.willRestore ?? false
        let isReading = position?.isReading ?? false
        if let drainEnd {
            // A read may return events of another destination.
            let mayRead = isReading || (position?.retryTime(in: self).map { $0 <= drainEnd } ?? false)
            let isHeldBack = announced == 0 && !mayRead && isHeld && heldUntil > drainEnd
            let isHopeless = !isSending && (!isAllowed || isHeldBack)
            let isDone = !willRestore && inMemory + stored + announced == 0
            // Without a ledger, an event that arrives between here and the end would be lost, so it is rejected
            // instead.
            if isDone && position == nil { isStopped = true }
            if isHopeless || isDone { endFlush(&actions) }
        } else {
            // If no read is running, further events wait for room, and so for a request.
            let isHeldBack = !isSending && !isReading && isHeld && !PlantedFault.isPlanted("flush-waits-for-pause")
            let isOver = !willRestore && left >= target || isHeldBack
            if isOver || !isSending && !isAllowed { endFlush(&actions) }
        }
    }

    /// Whether the destinations of all events in `queue` pause.
    private var isHeld: Bool { !queue.isEmpty && heldCount == queue.count }

    private mutating func send(now: Duration, _ actions: inout [Action]) {
        if isSending || !isAllowed || queue.isEmpty { return }
        passHeldEvents(now: now)
        if heldCount > 0 { wakeTime = heldUntil }
        guard let first = queue.dropFirst(heldCount).first else {
            // An event that passes paused ones waits for others to be sent with it.
            releaseTime = nil
            return
        }
        if releaseTime == nil { releaseTime = now + policy.releaseInterval }
        let standing = standings.first { $0.destination == first.destination }
        guard let reason = releaseReason(isRetrying: standing?.isRetrying ?? false, now: now) else {
            wakeTime = [wakeTime, releaseTime].compactMap(\.self).min()
            return
        }
        let limit = min(standing?.sizeLimit ?? policy.requestLimit, policy.requestLimit)
        var room = policy.requestByteLimit
        let batch = queue.dropFirst(heldCount).prefix(max(1, limit)).prefix { event in
            room -= event.byteCount
            return event.destination == first.destination && room >= 0
        }
        inFlight = batch.isEmpty ? [first] : Array(batch)
        if heldCount == 0 {
            queue.removeFirst(inFlight.count)
        } else {
            let start = queue.startIndex + heldCount
            queue.removeSubrange(start..<start + inFlight.count)
        }
        if queue.isEmpty { queue = [] }
        isSending = true
        if PlantedFault.isPlanted("sending-forgets-ledger") { forget(inFlight, &actions) }
        releaseTime = nil
        actions.append(.send(inFlight, reason: reason))
    }

    private func releaseReason(isRetrying: Bool, now: Duration) -> ReleaseReason? {
        if isRetrying { return .retry }
        if flushTarget != nil { return .flush }
        if queue.count - heldCount >= min(policy.batchSize, window) { return .size }
        return (releaseTime ?? now) <= now ? .timeout : nil
    }

    /// Counts the events at the front whose destinations pause.
    private mutating func passHeldEvents(now: Duration) {
        if standings.isEmpty || heldUntil <= now { heldCount = 0 }
        while let event = queue.dropFirst(heldCount).first,
            let pauseEnd = standings.first(where: { $0.destination == event.destination })?.pauseEnd, pauseEnd > now
        {
            heldUntil = heldCount == 0 ? pauseEnd : min(heldUntil, pauseEnd)
            heldCount += 1
        }
    }
}
