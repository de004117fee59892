import ConvertConcurrency
import ConvertMonitoring

/// The invariants between two inputs.
extension DeliveryState {
    /// The maximum number of events to check one by one.
    private static let lookLimit = 32

    func checkInvariants() {
        Invariant.inspect {
            checkNumbers()
            checkPhases()
            checkDestinations()
            if inMemory <= Self.lookLimit { checkEvents() }
            position?.checkInvariants()
        }
    }

    private func checkNumbers() {
        Invariant.check(
            tally.accepted + tally.restored == tally.delivered + counts.queued + tally.rejectedTotal,
            "every event that was accepted or restored is in one place")
        Invariant.check(tally.rejected.values.allSatisfy { $0 > 0 }, "every reason given has an event")
        Invariant.check(announced >= 0, "no more events come from the ledger's queue than were announced")
        Invariant.check(stored >= 0, "no more events are read than the ledger has")
        Invariant.check(postponedCount >= 0, "the events that are kept for the next start are counted")
        Invariant.check(bytes >= 0, "the events in memory have no negative size")
        Invariant.check(inMemory > 0 || bytes == 0, "without events in memory there are no bytes")
        // Events that were sent without the ledger may have arrived during a read.
        let read = position == nil ? 0 : window
        Invariant.check(
            inMemory - read <= max(1, policy.capacity), "the events in memory have room, but for those of a read")
        Invariant.check(heldCount >= 0 && heldCount <= queue.count, "the events that pause are in the queue")
        Invariant.check(readFailures >= 0, "the failures of reading are counted")
        if position == nil {
            Invariant.check(announced == 0, "without a ledger no event is announced")
            Invariant.check(stored == 0, "without a ledger no event is only there")
            Invariant.check(postponedCount == 0, "without a ledger no event is kept for the next start")
        }
    }

    private func checkPhases() {
        Invariant.check(isSending == !inFlight.isEmpty, "a request is under way exactly if it has events")
        Invariant.check(inFlight.count <= max(1, policy.requestLimit), "a request has no more events than it may")
        Invariant.check(left <= entered, "no event leaves that did not enter")
        Invariant.check((flushTarget ?? 0) <= entered, "a flush waits for events that are there")
        Invariant.check(drainEnd == nil || flushTarget != nil, "a drain is a flush")
        if isStopped {
            Invariant.check(inFlight.isEmpty, "after the end nothing is sent")
            Invariant.check(wakeTime == nil, "after the end no timer is wanted")
            Invariant.check(flushTarget == nil, "after the end no flush waits")
        }
        Invariant.check(
            forgetting.allSatisfy { $0.awaitsLedger || $0.awaitsRead || $0.awaitsRequest },
            "a visitor is being forgotten only while something of them may come")
    }

    private func checkDestinations() {
        let standings = standings.map(\.destination)
        Invariant.check(areDistinct(standings), "a destination has one standing")
        Invariant.check(areDistinct(tracked), "a destination is tracked once")
        Invariant.check(areDistinct(postponed), "a destination is postponed once")
        Invariant.check(
            !postponed.contains { tracked.contains($0) }, "what this process tracks is not kept for the next start")
        Invariant.check(
            inFlight.allSatisfy { $0.destination == inFlight.first?.destination }, "a request has one destination")
    }

    private func areDistinct(_ destinations: [TrackingDestination]) -> Bool {
        destinations.indices.allSatisfy { !destinations[..<$0].contains(destinations[$0]) }
    }

    private func checkEvents() {
        let events = Array([inFlight[...], queue].joined())
        let ids = events.compactMap(\.ledgerID)
        let serials = events.filter { $0.ledgerID == nil }.map(\.serial)
        Invariant.check(bytes == events.byteCount, "the bytes are those of the events in memory")
        Invariant.check(Set(ids).count == ids.count, "an event of the ledger is in memory once")
        Invariant.check(Set(serials).count == serials.count, "an event without the ledger is in memory once")
        Invariant.check(serials.allSatisfy { $0 <= lastSerial }, "no event is newer than the newest")
        Invariant.check(ids.isEmpty || position != nil, "an event of the ledger has a ledger")
    }
}
