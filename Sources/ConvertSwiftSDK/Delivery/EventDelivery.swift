import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation
import Synchronization

/// Performs what ``DeliveryState`` asks for: requests, waiting, and the journal.
final class EventDelivery: Sendable {
    private struct Machine {
        var state: DeliveryState
        var generator: any RandomNumberGenerator & Sendable
        /// The task that waits for `state.wakeTime`.
        var timer: (time: Duration, task: Task<Void, Never>)?
        var flushes: [Latch] = []
        var request: Task<Void, Never>?
        /// Ids that the journal did not remove yet.
        var unremoved: [Int64] = []
        var isRemoving = false
        var removal: Task<Void, Never>?
    }

    /// Beyond this many ids the oldest are no longer tried to be removed; a later process delivers their events again.
    private static let unremovedLimit = 100_000

    private let endpoint: TrackingEndpoint
    private let transport: any HTTPTransport
    private let journal: (any EventJournal)?
    private let time: any TimeSource
    private let log: Diagnostics
    private let hub: EventHub
    private let machine: Mutex<Machine>
    /// Whether the journal failed to take the last event. Appending and queueing happen together under it, so that the
    /// journal and the queue have the events in one order.
    private let isJournalFailing = Mutex(false)

    init(
        endpoint: TrackingEndpoint, policy: DeliveryPolicy, transport: any HTTPTransport, journal: (any EventJournal)?,
        surroundings: Surroundings, log: Diagnostics, hub: EventHub
    ) {
        self.endpoint = endpoint
        self.transport = transport
        self.journal = journal
        time = surroundings.time
        self.log = log
        self.hub = hub
        machine = Mutex(
            Machine(
                state: DeliveryState(policy: policy, hasJournal: journal != nil),
                generator: surroundings.makeGenerator()))
    }

    /// Where the events are.
    var counts: DeliveryCounts { machine.withLock { $0.state.counts } }

    /// Takes over what an earlier process left.
    func start() { handle(.started) }

    /// Takes an event. It returns at once, or with a journal as soon as the event is safe there.
    func track(_ event: QueuedEvent) {
        guard let journal else {
            handle(.accepted(event))
            return
        }
        let record = Data(ECMAScript.jsonText(of: event.record).utf8)
        isJournalFailing.withLock { isFailing in
            var event = event
            do {
                event.journalID = try journal.append([record]).first
                if isFailing { log.isOver(.journalAppend) }
                isFailing = false
            } catch {
                isFailing = true
                log.once(
                    .journalAppend,
                    "the event journal takes no events (\(type(of: error))); they are kept in memory only.")
            }
            handle(.accepted(event))
        }
    }

    /// Sends what waits now. Returns once it is out, given up, or failed to go out.
    func flush() async {
        let latch = Latch()
        handle(.flush, opening: latch)
        _ = await latch.wait(by: time)
    }

    /// Sends what waits, again and again, until all is out or `deadline` has come or nothing can be sent before it. Then
    /// nothing is sent any more, and the journal forgets what was delivered.
    func shutDown(deadline: Duration) async {
        let latch = Latch()
        handle(.drain, opening: latch)
        while !latch.isOpen {
            let pause = machine.withLock { $0.state.pausedUntil }
            if let pause, pause > deadline { break }
            // Looks again now and then whether the endpoint asked for a pause beyond the deadline.
            if await latch.wait(until: min(deadline, time.now + .milliseconds(50)), by: time) { break }
            if time.now >= deadline || Task.isCancelled { break }
        }
        handle(.stopped)
        machine.withLock { machine in
            machine.request?.cancel()
            machine.timer?.task.cancel()
        }
        // A process that ended now would leave delivered events in the journal, and the next one send them again.
        guard let removal = machine.withLock({ $0.removal }) else { return }
        try? await withDeadline(deadline - time.now, by: time) { await removal.value }
    }

    /// Tells the state `input`; `latch` opens with the flush that it begins.
    private func handle(_ input: DeliveryState.Input, opening latch: Latch? = nil) {
        let (actions, latches) = machine.withLock { machine in
            if let latch { machine.flushes.append(latch) }
            let actions = machine.state.handle(input, now: time.now, using: &machine.generator)
            arm(&machine)
            guard !machine.flushes.isEmpty, actions.contains(where: \.endsFlush) else { return (actions, [Latch]()) }
            defer { machine.flushes = [] }
            return (actions, machine.flushes)
        }
        for action in actions { perform(action) }
        for latch in latches { latch.open() }
    }

    private func arm(_ machine: inout Machine) {
        guard let wakeTime = machine.state.wakeTime else {
            machine.timer?.task.cancel()
            machine.timer = nil
            return
        }
        if machine.timer?.time == wakeTime { return }
        machine.timer?.task.cancel()
        let task = Task { [weak self, time] in
            guard (try? await time.sleep(until: wakeTime)) != nil else { return }
            self?.wake(at: wakeTime)
        }
        machine.timer = (wakeTime, task)
    }

    private func wake(at wakeTime: Duration) {
        machine.withLock { machine in
            if machine.timer?.time == wakeTime { machine.timer = nil }
        }
        handle(.timer)
    }

    private func perform(_ action: DeliveryState.Action) {
        switch action {
        case .send(let events, let reason):
            let task = Task { await self.send(events, reason) }
            machine.withLock { $0.request = task }
        case .readJournal(let id, let limit):
            Task { await self.readJournal(after: id, limit: limit) }
        case .forget(let ids):
            machine.withLock { machine in
                machine.unremoved += ids
                if machine.unremoved.count > Self.unremovedLimit {
                    machine.unremoved.removeFirst(machine.unremoved.count - Self.unremovedLimit)
                }
                if machine.isRemoving { return }
                machine.isRemoving = true
                machine.removal = Task { await self.removeFromJournal() }
            }
        case .report(let count, let reason):
            log.once(.eventsRejected(reason), "\(count) tracking events were given up: \(reason).")
            hub.fire(.eventsRejected(count: count, reason))
        case .flushEnded:
            break
        }
    }

    private func send(_ events: [QueuedEvent], _ reason: DeliveryState.ReleaseReason) async {
        let (result, status) = await result(of: events)
        hub.fire(
            .queueReleased(
                SDKEvent.QueueRelease(
                    reason: reason.rawValue, status: status, isDelivered: result == .delivered,
                    eventCount: events.count, visitorIDs: events.visitorIDs)))
        if result == .delivered { log.isOver(.eventsSend) }
        handle(.sent(result))
    }

    private func result(of events: [QueuedEvent]) async -> (DeliveryState.SendResult, status: Int?) {
        guard let request = endpoint.request(for: events) else {
            log.once(
                .eventsURL, level: .error, "the tracking endpoint is no URL, or a plain http one; no events are sent."
            )
            return (.failed(status: nil, retryAfter: nil), nil)
        }
        do {
            // A transport that an app brings may forget about the request's timeout.
            let response = try await withDeadline(endpoint.timeout + .seconds(5), by: time) { [transport] in
                try await transport.send(request)
            }
            let result = TrackingEndpoint.result(of: response, at: time.date)
            if case .failed = result {
                log.once(
                    .eventsSend, "the tracking endpoint answered \(response.status); events wait and are sent again.")
            }
            return (result, response.status)
        } catch is CancellationError {
            return (.failed(status: nil, retryAfter: nil), nil)
        } catch {
            log.once(
                .eventsSend, "tracking events could not be sent (\(error.forLog)); they wait and are sent again.")
            return (.failed(status: nil, retryAfter: nil), nil)
        }
    }

    private func readJournal(after id: Int64, limit: Int) async {
        guard let journal else { return }
        do {
            let found = try await journal.events(after: id, limit: limit)
            var events: [QueuedEvent] = []
            var unreadable: [Int64] = []
            for entry in found {
                if let value = try? JSONDecoder().decode(JSValue.self, from: entry.record),
                    let event = QueuedEvent(record: value, journalID: entry.id)
                {
                    events.append(event)
                } else {
                    unreadable.append(entry.id)
                }
            }
            handle(.read(events, unreadable: unreadable, isEnd: found.count < limit))
        } catch {
            log.once(.journalRead, "the event journal cannot be read (\(type(of: error))); it is tried again.")
            handle(.readFailed)
        }
    }

    private func removeFromJournal() async {
        while let journal {
            let ids = machine.withLock { machine in
                defer { machine.unremoved = [] }
                return machine.unremoved
            }
            do {
                if !ids.isEmpty { try await journal.remove(ids) }
                let isDone = machine.withLock { machine in
                    if machine.unremoved.isEmpty { machine.isRemoving = false }
                    return machine.unremoved.isEmpty
                }
                if isDone { return }
            } catch {
                // They are tried again together with the next ones.
                machine.withLock { machine in
                    machine.unremoved = ids + machine.unremoved
                    machine.isRemoving = false
                }
                log.once(
                    .journalRemove,
                    "delivered events stay in the journal (\(type(of: error))); they may be delivered twice.")
                return
            }
        }
    }
}

extension DeliveryState.Action {
    fileprivate var endsFlush: Bool {
        if case .flushEnded = self { true } else { false }
    }
}

extension [QueuedEvent] {
    /// The visitors, each once, in order.
    fileprivate var visitorIDs: [String] {
        var seen: Set<PropertyKey> = []
        return compactMap { seen.insert(PropertyKey($0.visitorID)).inserted ? $0.visitorID : nil }
    }
}

extension Error {
    /// What may be logged of an error: our own errors' words, of any other only its type, since what it says may hold
    /// parts of what was sent.
    var forLog: String {
        switch self {
        case let error as TransportError: "\(error)"
        case let error as DeadlineError: "\(error)"
        case let error as ConvertError: "\(error)"
        default: "\(type(of: self))"
        }
    }
}
