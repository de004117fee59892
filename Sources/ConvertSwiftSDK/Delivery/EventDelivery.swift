import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Performs the actions of ``DeliveryState``: requests, timers, and reads of the ledger.
final class EventDelivery: Sendable {
    struct Machine {
        var state: DeliveryState
        var generator: any RandomNumberGenerator & Sendable
        /// The task that waits for `state.wakeTime`.
        var timer: (time: Duration, task: Task<Void, Never>)?
        var flushes: [Latch] = []
        /// The last request, and its number.
        var request: Task<Void, Never>?
        var lastRequest = 0
        /// The current outage and its beginning; `nil` if there is no outage.
        var outage: (start: Duration, value: DeliveryOutage)?
        /// Rejected events that subscribers have not received yet.
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
    /// Starts the requests that tracking calls cause, without waking a thread for each.
    private let beginnings: Rounds<Release>

    /// Events to send, and why.
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

    /// The number of events by state.
    var counts: DeliveryCounts { machine.withLock { $0.state.counts } }

    /// Why events wait, if the endpoint did not accept the last ones.
    var outage: DeliveryOutage? { machine.withLock { $0.outage?.value } }

    /// Whether the ledger has all queued events.
    var isStored: Bool { machine.withLock { $0.state.isStored } }

    /// Whether sending has ended, so that events tracked from now on are rejected.
    var isStopped: Bool { machine.withLock { $0.state.isStopped } }

    /// Whether events are sent.
    var isAllowed: Bool { machine.withLock { $0.state.isAllowed } }

    /// Sends all waiting events now. Returns when they were sent or rejected, or sending failed.
    func flush() async {
        let latch = Latch()
        handle(.flush, opening: latch)
        _ = await latch.wait()
        tell()
    }

    /// Sends all waiting events, with retries, until all are sent, `deadline` is reached, or nothing can be sent before
    /// it. ``stop()`` must follow.
    func drain(until deadline: Duration) async {
        let latch = Latch()
        handle(.drain(until: deadline), opening: latch)
        _ = await latch.wait(until: PlantedFault.isPlanted("shutdown-without-deadline") ? nil : deadline, by: time)
    }

    /// Ends sending. Events of the running request count as waiting.
    func stop() {
        takingOver.withLock { $0 }?.cancel()
        handle(.stopped)
        machine.withLock { machine in
            machine.request?.cancel()
            machine.timer?.task.cancel()
        }
    }

    /// Passes `input` to the state. `latch` opens when the flush that it begins has ended.
    func handle(_ input: DeliveryState.Input, opening latch: Latch? = nil) {
        var latches: [Latch] = []
        var (endsFlush, isReport) = (false, false)
        // A tracking call must not start a request itself. Only threads of the delivery, which hold no lock, call
        // subscribers directly.
        let (isCaller, isOwn) =
            switch input {
            case .accepted, .released: (true, false)
            case .sent, .stopped: (false, true)
            default: (false, false)
            }
        let actions = machine.withLock { machine in
            if let latch { machine.flushes.append(latch) }
            let actions = machine.state.handle(input, now: time.now, using: &machine.generator)
            if case .sent = input { noteOutage(&machine) }
            arm(&machine)
            for action in actions {
                switch action {
                case .flushEnded: endsFlush = true
                case .report: isReport = true
                // Before others see that no events wait: delivered events must be removed from the ledger before the
                // end.
                case .forget(let ids): if let alarm = removals.append(ids) { latches.append(alarm) }
                default: break
                }
            }
            if endsFlush {
                latches += machine.flushes
                machine.flushes = []
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
        if isOwn { tell() } else if isReport, hub.hasSubscribers { Task { tell() } }
    }

    /// Notes the outage with its public dates. A date stays the same as long as the monotonic time that it represents.
    private func noteOutage(_ machine: inout Machine) {
        guard let outage = machine.state.outage else { return machine.outage = nil }
        let (now, date) = (time.now, time.date)
        let known = machine.outage.flatMap { $0.start == outage.since ? $0.value.since : nil }
        let value = DeliveryOutage(
            cause: outage.cause, status: outage.status, since: known ?? date + (outage.since - now).seconds,
            nextAttempt: date + (outage.until - now).seconds)
        machine.outage = (outage.since, value)
    }

    private func arm(_ machine: inout Machine) {
        guard let wakeTime = machine.state.wakeTime else { return }
        // Each request postpones the wake-up. A timer that fires too early costs less than a new timer for each
        // request.
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
        // Created outside of the lock, which tracking calls wait for: creating a task takes long.
        let request = Task {
            // Sending may have ended since the state requested this.
            if !isStopped { await send(release.events, release.reason) }
        }
        let isTooLate = machine.withLock { machine in
            // This request may already be over, and the next one running.
            if number == machine.lastRequest { machine.request = request }
            return machine.state.isStopped
        }
        if isTooLate { request.cancel() }
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
            log.log(
                .debug, "events.delivered", "delivered \(events.count.counted("tracking event")) (\(reason.rawValue)).")
        }
        handle(.sent(result))
    }

    /// Informs subscribers of rejected events.
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
                .eventsURL, level: .error,
                "trackEndpoint is not a URL, or is plain http to another machine: events wait. Correct it, or set "
                    + "allowsPlainHTTP."
            )
            return (.failed(.address, status: nil, retryAfter: nil), nil)
        }
        guard let taken = await taken(of: events) else { return (.failed(status: nil, retryAfter: nil), nil) }
        if !taken.isEmpty { return (.takenOver(taken), nil) }
        let status: Int
        var retryAfter: String?
        do {
            // An app's own transport may ignore the request's timeout.
            let response = try await withDeadline(endpoint.configuration.requestTimeout + .seconds(5), by: time) {
                [transport] in
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
            // For any other cause, the state requests a warning.
            if cause == .unavailable {
                log.once(.eventsSend, message, ["status": "\(status)"])
            } else {
                log.log(.debug, "events.notSent", message, ["status": "\(status)"])
            }
        }
        return (result, status)
    }
}

extension [QueuedEvent] {
    /// The visitors' ids in order, without duplicates.
    fileprivate var visitorIDs: [String] {
        var seen: Set<PropertyKey> = []
        return compactMap { seen.insert(PropertyKey($0.visitorID)).inserted ? $0.visitorID : nil }
    }
}
