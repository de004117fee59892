import ConvertTestSupport
import ConvertECMAScript

@testable import ConvertSwiftSDKCore

@testable import ConvertSwiftSDK

/// A delivery with a scripted endpoint, journal and clock, all driven by one seeded generator.
struct DeliverySimulation {
    var generator: SeededGenerator
    var state: DeliveryState
    var now = Duration.zero
    /// What the journal holds, by id, in order; `nil` without a journal.
    var journal: [(id: Int64, event: QueuedEvent)]?
    var nextID: Int64 = 1
    /// Whether appending fails.
    var isDiskFull = false
    /// Whether a journal that failed is offered nothing until it has caught up.
    var catchesUp = false
    private var isBehind = false
    /// The request and the read that are under way.
    var request: [QueuedEvent]?
    var read: (after: Int64, limit: Int)?
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
    /// How often the journal was found to break its promises.
    var distrusted = 0
    var readCount = 0
    /// Events that were alone in a request whose body was refused.
    var refusedAlone = 0
    /// Whether a flush has begun and not ended.
    var isFlushing = false

    /// - Parameters:
    ///   - leftBehind: how many events an earlier process left in the journal; `nil` without a journal.
    ///   - visitors: the number of their visitors.
    init(seed: UInt64, policy: DeliveryPolicy = DeliveryPolicy(), leftBehind: Int? = nil, of visitors: Int = 5) {
        generator = SeededGenerator(seed: seed)
        state = DeliveryState(policy: policy, hasJournal: leftBehind != nil)
        if let leftBehind {
            journal = []
            for _ in 0..<leftBehind {
                let event = event(visitor: sequence % visitors, journalID: nextID)
                journal?.append((nextID, event))
                nextID += 1
            }
        }
    }

    private mutating func event(visitor: Int, journalID: Int64?) -> QueuedEvent {
        sequence += 1
        return QueuedEvent(
            destination: TrackingDestination(
                sdkKey: visitor == 0 ? nil : "key", accountID: "1", projectID: .integer(visitor == 1 ? 3 : 2)),
            visitorID: "v\(visitor)",
            segments: padding > 0 ? ["padding": .string(String(repeating: "x", count: padding))] : nil,
            payload: .integer(sequence), journalID: journalID)
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
            case .readJournal(let after, let limit):
                precondition(read == nil, "two reads at once")
                read = (after, limit)
                readCount += 1
            case .forget(let ids):
                let ids = Set(ids)
                journal?.removeAll { ids.contains($0.id) }
            case .report(let count, let reason):
                reported[reason, default: 0] += count
            case .warn(let cause, let status):
                warnings.append("\(cause) \(status)")
            case .distrustJournal:
                distrusted += 1
            case .offerJournal:
                isBehind = true
            case .flushEnded:
                flushesEnded += 1
                isFlushing = false
            }
        }
    }

    /// Tracks an event; it reaches the state at once, as behind the lock that appending and accepting share.
    mutating func track(visitor: Int) {
        var event = event(visitor: visitor, journalID: nil)
        if isDiskFull { isBehind = true }
        if journal != nil && !isDiskFull && !(catchesUp && isBehind) {
            event.journalID = nextID
            journal?.append((nextID, event))
            nextID += 1
        }
        handle(.accepted(event))
    }

    /// Appends up to `limit` of the events that the journal could not take.
    mutating func catchUp(_ limit: Int) {
        guard catchesUp && !isDiskFull && journal != nil else { return }
        let events = state.unjournaled(limit)
        var ids: [(serial: Int, id: Int64)] = []
        for var event in events {
            event.journalID = nextID
            journal?.append((nextID, event))
            ids.append((event.serial, nextID))
            nextID += 1
        }
        handle(.journaled(ids))
        if state.unjournaled(1).isEmpty { isBehind = false }
    }

    mutating func answer(_ result: DeliveryState.SendResult) {
        guard let events = request else { return }
        request = nil
        if result == .delivered { arrived += events }
        if case .refused = result, events.count == 1 { refusedAlone += 1 }
        handle(.sent(result))
    }

    mutating func answerRead(fails: Bool = false) {
        guard let (after, limit) = read else { return }
        read = nil
        if fails {
            handle(.readFailed)
            return
        }
        let found = (journal ?? []).filter { $0.id > after }.prefix(limit)
        handle(.read(found.map(\.event), unreadable: [], isEnd: found.count < limit))
    }

    /// Ends the process, and begins another one with what the journal has.
    mutating func restart() {
        state = DeliveryState(policy: state.policy, hasJournal: journal != nil)
        (request, read, isFlushing, isBehind) = (nil, nil, false, false)
        handle(.started)
    }

    /// Lets time pass up to the next wake-up, or by a little.
    mutating func pass() {
        now = state.wakeTime ?? (now + .milliseconds(100))
        handle(.timer)
    }

    /// Answers everything kindly until nothing is left to do.
    mutating func settle() {
        isDiskFull = false
        for _ in 0..<100_000 {
            if request != nil {
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
        if request != nil || read != nil { return true }
        // A flush does not wait for the time.
        if isFlushing { return false }
        return state.wakeTime != nil || !state.isAllowed || state.isStopped
            || state.counts.queued == state.postponedCount
    }

    /// The bytes of the events that the state holds, counted anew.
    var bytesInMemory: Int {
        [state.queue, state.tail[...], state.inFlight[...]].joined().reduce(0) { $0 + $1.byteCount }
    }
}
