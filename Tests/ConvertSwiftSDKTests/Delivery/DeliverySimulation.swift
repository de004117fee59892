import ConvertLedgers
import ConvertMonitoring
import ConvertTestSupport
import ConvertECMAScript

@testable import ConvertSwiftSDKCore

@testable import ConvertSwiftSDK

/// A delivery with a scripted endpoint, ledger and clock, all driven by one seeded generator.
struct DeliverySimulation {
    var generator: SeededGenerator
    var state: DeliveryState
    var now = Duration.zero
    /// What the ledger holds, in order; `nil` without a ledger.
    var ledger: [(id: EventID, event: QueuedEvent)]?
    private var owner: UInt32 = 2
    private var lastNumber: UInt32 = 0
    /// Whether tracked events wait for ``commit(_:)`` and ``tell()`` of a test.
    var isSlow = false
    /// Events that were announced, and events that the ledger has and the state does not know of.
    private(set) var announced: [QueuedEvent] = []
    private var untold: [QueuedEvent] = []
    /// The request and the read that are under way.
    var request: [QueuedEvent]?
    var read: (after: EventID?, limit: Int)?
    /// What the read found, if it has looked and not answered.
    private var found: [QueuedEvent]?
    /// Everything that arrived, in order.
    var arrived: [QueuedEvent] = []
    var reported: [RejectionReason: Int] = [:]
    var flushesEnded = 0
    var sequence = 0
    var sendReasons: [DeliveryState.ReleaseReason] = []
    /// Bytes that make further events large.
    var padding = 0
    /// What was warned of: causes and statuses.
    var warnings: [String] = []
    var readCount = 0
    /// Events that were alone in a request whose body was refused.
    var refusedAlone = 0
    /// Whether a flush has begun and not ended.
    var isFlushing = false

    /// - Parameters:
    ///   - leftBehind: how many events an earlier process left in the ledger; `nil` without a ledger.
    ///   - visitors: the number of their visitors.
    init(seed: UInt64, policy: DeliveryPolicy = DeliveryPolicy(), leftBehind: Int? = nil, of visitors: Int = 5) {
        generator = SeededGenerator(seed: seed)
        state = DeliveryState(policy: policy, hasLedger: leftBehind != nil)
        guard let leftBehind else { return }
        ledger = (0..<leftBehind).map { index in
            var event = event(visitor: sequence % visitors)
            let id = EventID(owner: 1, number: UInt32(1 + index))
            event.ledgerID = id
            return (id, event)
        }
    }

    private mutating func event(visitor: Int) -> QueuedEvent {
        sequence += 1
        return QueuedEvent(
            destination: TrackingDestination(
                sdkKey: visitor == 0 ? nil : "key", accountID: "1", projectID: .integer(visitor == 1 ? 3 : 2)),
            visitorID: "v\(visitor)",
            segments: padding > 0 ? ["padding": .string(String(repeating: "x", count: padding))] : nil,
            content: .read(.integer(sequence)))
    }

    /// Lets the ledger begin an owner, if there is one.
    mutating func start() {
        if ledger != nil { handle(.ownerBegan(owner)) }
    }

    mutating func handle(_ input: DeliveryState.Input) {
        switch input {
        case .flush, .drain: isFlushing = true
        default: break
        }
        for action in state.handle(input, now: now, using: &generator) {
            switch action {
            case .send(let events, let reason):
                precondition(request == nil, "two requests at once")
                request = events
                sendReasons.append(reason)
            case .readLedger(let after, let limit):
                precondition(read == nil, "two reads at once")
                found = nil
                read = (after, limit)
                readCount += 1
            case .forget(let ids):
                let ids = Set(ids)
                ledger?.removeAll { ids.contains($0.id) }
            case .report(let count, let reason):
                reported[reason, default: 0] += count
            case .warn(let cause, let status):
                warnings.append("\(cause) \(status)")
            case .flushEnded:
                flushesEnded += 1
                isFlushing = false
            }
        }
    }

    /// Tracks an event. The ledger takes it at once, unless it is slow.
    mutating func track(visitor: Int) {
        let event = event(visitor: visitor)
        if ledger == nil { return handle(.accepted([event])) }
        announced.append(event)
        handle(.announced(1))
        if isSlow { return }
        commit(.max)
        tell()
    }

    /// Stores up to `count` of the events that were announced.
    mutating func commit(_ count: Int) {
        for var event in announced.prefix(count) {
            lastNumber += 1
            let id = EventID(owner: owner, number: lastNumber)
            event.ledgerID = id
            ledger?.append((id, event))
            untold.append(event)
        }
        announced.removeFirst(min(count, announced.count))
    }

    /// Tells the state of the events that the ledger took.
    mutating func tell() {
        if untold.isEmpty { return }
        let events = untold
        untold = []
        handle(.stored(events, unreported: 0))
    }

    /// Lets the events that were announced go out without the ledger.
    mutating func release() {
        let events = announced
        announced = []
        if !events.isEmpty { handle(.released(events)) }
    }

    /// Gives events that were announced up, as those of a goal that was counted elsewhere.
    mutating func countElsewhere(_ count: Int) {
        let count = min(count, announced.count)
        announced.removeFirst(count)
        handle(.stored([], unreported: count))
    }

    mutating func answer(_ result: DeliveryState.SendResult) {
        guard let events = request else { return }
        request = nil
        if result == .delivered { arrived += events }
        if case .refused = result, events.count == 1 { refusedAlone += 1 }
        handle(.sent(result))
    }

    mutating func answerRead(fails: Bool = false) {
        guard let (_, limit) = read else { return }
        if found == nil { look() }
        read = nil
        if fails { return handle(.readFailed) }
        let events = found ?? []
        found = nil
        handle(.read(events, unreadable: [], isEnd: events.count < limit))
    }

    /// Looks up what the read that is under way is answered with.
    mutating func look() {
        guard let read else { return }
        found = (ledger ?? []).filter { entry in read.after.map { entry.id > $0 } ?? true }.prefix(read.limit)
            .map(\.event)
    }

    /// Ends the process, and begins another one with the ledger's events.
    mutating func restart() {
        state = DeliveryState(policy: state.policy, hasLedger: ledger != nil)
        (request, read, found, isFlushing) = (nil, nil, nil, false)
        (announced, untold, owner, lastNumber) = ([], [], owner + 1, 0)
        start()
    }

    /// Lets time pass up to the next wake-up, or by a little.
    mutating func pass() {
        now = state.wakeTime ?? (now + .milliseconds(100))
        handle(.timer)
    }

    /// Answers everything kindly until nothing is left to do.
    mutating func settle() {
        isSlow = false
        for _ in 0..<100_000 {
            if !announced.isEmpty || !untold.isEmpty {
                commit(.max)
                tell()
            } else if request != nil {
                answer(.delivered)
            } else if read != nil {
                answerRead()
            } else if state.wakeTime != nil {
                pass()
            } else {
                return
            }
        }
    }

    var sumHolds: Bool {
        let counts = state.counts
        return counts.accepted + counts.restored == counts.delivered + counts.queued + counts.rejectedTotal
            && counts.queued >= 0 && counts.restored >= 0
    }

    /// Whether something is under way, or will be, if anything can be: what waits is not forgotten.
    var goesOn: Bool {
        if request != nil || read != nil || !announced.isEmpty || !untold.isEmpty { return true }
        // A flush does not wait for the time.
        if isFlushing { return false }
        return state.wakeTime != nil || !state.isAllowed || state.isStopped
            || state.counts.queued == state.postponedCount
    }

    /// The bytes of the events that the state holds, counted anew.
    var bytesInMemory: Int {
        [state.queue, state.inFlight[...]].joined().reduce(0) { $0 + $1.byteCount }
    }
}
