import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Performs what ``DeliveryState`` asks for: requests, waiting, and reads of the ledger.
final class EventDelivery: Sendable {
    struct Machine {
        var state: DeliveryState
        var generator: any RandomNumberGenerator & Sendable
        /// The task that waits for `state.wakeTime`.
        var timer: (time: Duration, task: Task<Void, Never>)?
        var flushes: [Latch] = []
        /// The request that began last, and its number.
        var request: Task<Void, Never>?
        var lastRequest = 0
        /// Why events wait, if they do.
        var outage: OutageDates?
        /// Events that were given up, not told to subscribers yet.
        var untold: [(count: Int, reason: RejectionReason)] = []
    }

    let endpoint: TrackingEndpoint
    private let transport: any HTTPTransport
    private let policy: DeliveryPolicy
    let ledger: (any Ledger)?
    let removals = LedgerRemovals()
    let ledgerReads = ExclusiveCall()
    let time: any TimeSource
    let log: Diagnostics
    private let hub: EventHub
    let machine: Mutex<Machine>
    let takingOver = Mutex<Task<Void, Never>?>(nil)
    let takeovers = ExclusiveCall()
    let confirmations = ExclusiveCall()
    /// Begins the requests that calls which track give rise to. They do not wake the thread that does.
    private let beginnings: Rounds<Release>

    /// Events that are to be sent, and why.
    private struct Release: Sendable {
        let events: [QueuedEvent]
        let reason: DeliveryState.ReleaseReason
    }

    init(
        endpoint: TrackingEndpoint, policy: DeliveryPolicy, transport: any HTTPTransport, ledger: (any Ledger)?,
        surroundings: Surroundings, log: Diagnostics, hub: EventHub
    ) {
        self.endpoint = endpoint
        self.transport = transport
        self.policy = policy
        self.ledger = ledger
        time = surroundings.time
        beginnings = Rounds(every: .milliseconds(10), by: time)
        self.log = log
        self.hub = hub
        machine = Mutex(
            Machine(
                state: DeliveryState(policy: policy, hasLedger: ledger != nil),
                generator: surroundings.makeGenerator()))
    }

    /// Where the events are.
    var counts: DeliveryCounts { machine.withLock { $0.state.counts } }

    /// Why events wait, if the endpoint did not take the last ones.
    var outage: DeliveryOutage? { machine.withLock { $0.outage?.value } }

    /// Whether the ledger has everything that is queued.
    var isStored: Bool { machine.withLock { $0.state.isStored } }

    /// Whether the end has come: what is tracked from now on is given up.
    var isStopped: Bool { machine.withLock { $0.state.isStopped } }

    /// Whether events are sent.
    var isAllowed: Bool { machine.withLock { $0.state.isAllowed } }

    /// Sends what waits now. Returns once it is out, given up, or failed to go out.
    func flush() async {
        let latch = Latch()
        handle(.flush, opening: latch)
        _ = await latch.wait()
        tell()
    }

    /// Sends what waits, again and again, until all is out or `deadline` has come or nothing can be sent before it.
    /// ``stop()`` is to follow.
    func drain(until deadline: Duration) async {
        let latch = Latch()
        handle(.drain(until: deadline), opening: latch)
        _ = await latch.wait(until: PlantedFault.isPlanted("shutdown-without-deadline") ? nil : deadline, by: time)
    }

    /// Sends nothing any more. What is under way counts as waiting.
    func stop() {
        takingOver.withLock { $0 }?.cancel()
        handle(.stopped)
        machine.withLock { machine in
            machine.request?.cancel()
            machine.timer?.task.cancel()
        }
    }

    /// Tells the state `input`; `latch` opens with the flush that it begins.
    func handle(_ input: DeliveryState.Input, opening latch: Latch? = nil) {
        var latches: [Latch] = []
        let (isCaller, isOwn) = (input.comesFromCaller, input.comesFromDelivery)
        let actions = machine.withLock { machine in
            if let latch { machine.flushes.append(latch) }
            let actions = machine.state.handle(input, now: time.now, using: &machine.generator)
            if case .sent = input { noteOutage(&machine) }
            arm(&machine)
            if !machine.flushes.isEmpty, actions.contains(where: \.endsFlush) {
                swap(&latches, &machine.flushes)
            }
            // Before others see that nothing is left: what was delivered has to leave the ledger before the end.
            for case .forget(let ids) in actions {
                if let alarm = removals.append(ids) { latches.append(alarm) }
            }
            return actions
        }
        for action in actions {
            if isCaller, case .send(let events, let reason) = action {
                beginnings.add(Release(events: events, reason: reason)) { [self] in $0.forEach(begin) }
            } else {
                perform(action)
            }
        }
        for latch in latches { latch.open() }
        if isOwn { tell() } else if actions.contains(where: \.isReport), hub.hasSubscribers { Task { tell() } }
    }

    private func noteOutage(_ machine: inout Machine) {
        machine.outage = machine.state.outage.map { OutageDates($0, after: machine.outage, at: time) }
    }

    private func arm(_ machine: inout Machine) {
        guard let wakeTime = machine.state.wakeTime else { return }
        // Each request moves the time on. A timer that ends too early costs less than another one for each of them.
        if let timer = machine.timer, timer.time <= wakeTime { return }
        machine.timer?.task.cancel()
        let task = Task { [weak self, time] in
            guard (try? await time.sleep(until: wakeTime)) != nil else { return }
            self?.wake(at: wakeTime)
        }
        machine.timer = (wakeTime, task)
    }

    private func wake(at wakeTime: Duration) {
        machine.withLock { machine in
            if machine.timer?.time == wakeTime, !PlantedFault.isPlanted("timer-not-cleared") { machine.timer = nil }
        }
        handle(.timer)
    }

    private func perform(_ action: DeliveryState.Action) {
        switch action {
        case .send(let events, let reason):
            begin(Release(events: events, reason: reason))
        case .readLedger(let id, let limit):
            Task { await self.readLedger(after: id, limit: limit) }
        case .report(let count, let reason):
            log.losses.add(count, of: reason.loss(capacity: policy.capacity))
            if hub.hasSubscribers { machine.withLock { $0.untold.append((count, reason)) } }
        case .warn(let cause, let status):
            log.log(
                .error, "events.outage", cause.warning(status: status, longest: policy.outageBackoff.longest),
                ["cause": "\(cause)", "status": "\(status)"])
        case .forget, .flushEnded:
            break
        }
    }

    private func begin(_ release: Release) {
        let number = machine.withLock { machine in
            machine.lastRequest += 1
            return machine.lastRequest
        }
        // Made outside of the lock, which tracking calls wait for: a task takes long to begin.
        let request = Task {
            // The end may have come since the state asked for it.
            if !isStopped || PlantedFault.isPlanted("sends-after-stop") { await send(release.events, release.reason) }
        }
        let isTooLate = machine.withLock { machine in
            // It may be over by now, and the next one under way.
            if number == machine.lastRequest { machine.request = request }
            return machine.state.isStopped
        }
        if isTooLate, !PlantedFault.isPlanted("sends-after-stop") { request.cancel() }
    }

    private func send(_ events: [QueuedEvent], _ reason: DeliveryState.ReleaseReason) async {
        let (result, status) = await result(of: events)
        hub.tell(
            .queueReleased(
                SDKEvent.QueueRelease(
                    reason: reason.rawValue, status: status, isDelivered: result == .delivered,
                    eventCount: events.count, visitorIDs: events.visitorIDs)))
        if result == .delivered {
            log.clear(.eventsSend)
            log.log(.debug, "events.delivered", "\(events.count) tracking events were delivered (\(reason.rawValue)).")
        }
        handle(.sent(result))
    }

    /// Tells what was given up.
    private func tell() {
        let untold = machine.withLock { machine in
            defer { machine.untold = [] }
            return machine.untold
        }
        for (count, reason) in untold { hub.tell(.eventsRejected(count: count, reason)) }
    }

    private func result(of events: [QueuedEvent]) async -> (DeliveryState.SendResult, status: Int?) {
        let request: HTTPRequest
        do throws(TrackingEndpoint.Fault) {
            request = try endpoint.request(for: events)
        } catch {
            if error == .destination { return (.unaddressed, nil) }
            log.once(
                .eventsURL, level: .error, "the tracking endpoint is no URL, or a plain http one; no events are sent."
            )
            return (.failed(.address, status: nil, retryAfter: nil), nil)
        }
        guard let taken = await taken(of: events) else { return (.failed(status: nil, retryAfter: nil), nil) }
        if !taken.isEmpty { return (.takenOver(taken), nil) }
        let status: Int
        var retryAfter: String?
        do {
            // A transport that an app brings may forget about the request's timeout.
            let response = try await withDeadline(endpoint.timeout + .seconds(5), by: time) { [transport] in
                try await transport.send(request)
            }
            status = response.status
            retryAfter = response.headers["retry-after"]
        } catch let error as TransportError where error.status != nil {
            status = error.status ?? 0
        } catch is CancellationError {
            return (.failed(status: nil, retryAfter: nil), nil)
        } catch {
            log.once(
                .eventsSend, "tracking events could not be sent (\(error.forLog)); they wait and are sent again.")
            return (.failed(status: nil, retryAfter: nil), nil)
        }
        let result = TrackingEndpoint.result(status: status, retryAfter: retryAfter, at: time.date)
        if case .failed(let cause, _, _) = result {
            let message = "the tracking endpoint answered \(status); events wait and are sent again."
            // The state asks for the warning of any other cause.
            if cause == .unavailable {
                log.once(.eventsSend, message, ["status": "\(status)"])
            } else {
                log.log(.debug, "events.notSent", message, ["status": "\(status)"])
            }
        }
        return (result, status)
    }
}

extension DeliveryState.Input {
    /// Whether it comes on the thread of a call that decides.
    fileprivate var comesFromCaller: Bool {
        switch self {
        case .accepted, .released: true
        default: false
        }
    }

    /// Whether it comes on a thread of the delivery, which holds no lock. Only there subscribers are called at once.
    fileprivate var comesFromDelivery: Bool {
        switch self {
        case .sent, .stopped: true
        default: false
        }
    }
}

extension DeliveryState.Action {
    fileprivate var endsFlush: Bool {
        if case .flushEnded = self { true } else { false }
    }

    fileprivate var isReport: Bool {
        if case .report = self { true } else { false }
    }
}

extension [QueuedEvent] {
    /// The visitors, each once, in order.
    fileprivate var visitorIDs: [String] {
        var seen: Set<PropertyKey> = []
        return compactMap { seen.insert(PropertyKey($0.visitorID)).inserted ? $0.visitorID : nil }
    }
}
