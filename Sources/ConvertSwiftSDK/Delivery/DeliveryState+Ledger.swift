import ConvertLedgers
import ConvertConcurrency
import ConvertMonitoring

/// Events that the ledger returns.
extension DeliveryState {
    /// Accepts events that were read from the ledger, in the order of their ids, as far as there is room.
    mutating func take(
        read events: [QueuedEvent], unreadable: [EventID], isEnd: Bool, now: Duration, _ actions: inout [Action]
    ) {
        guard let before = position else { return }
        readFailures = 0
        var isEnd = isEnd
        var end: EventID?
        // These events arrive soon, with the outcome of their commit.
        let isEarly = events.contains { $0.ledgerID.map(before.isUntold) ?? false }
        var taken = 0
        var forgotten: [EventID] = []
        let held = heldIDs
        for event in events {
            guard let id = event.ledgerID, before.isWanted(id) else { continue }
            if held.contains(id) {
                position?.didHold(id)
                continue
            }
            let hasRoom = queue.isEmpty && inFlight.isEmpty || event.byteCount <= policy.byteCapacity - bytes
            guard hasRoom || isPostponed(event) else {
                position?.didCut(after: taken, size: event.byteCount)
                end = id
                isEnd = false
                break
            }
            countRead(id)
            if isForgotten(event) { forgotten.append(id) } else { enqueueRead(event) }
            taken += 1
        }
        giveUp(read: forgotten, .forgotten, &actions)
        let lost = unreadable.filter { id in before.isWanted(id) && end.map { id < $0 } ?? true }
        for id in lost { countRead(id) }
        giveUp(read: lost, .unreadable, &actions)
        if end == nil { position?.didTakeAll() }
        // A full portion without new events. Reading again at once could go on forever.
        if !isEnd && end == nil && taken == 0 && lost.isEmpty {
            if isEarly {
                position?.readAgainOnceTold(retryAt: now + policy.backoff.first)
                return
            }
            return failRead(retryAt: now + policy.backoff.longest, &actions)
        }
        let possible = position?.endRead(isEnd: isEnd) ?? 0
        guard isEnd else { return }
        defer { hasLostOwner = false }
        guard stored > possible else { return }
        let missing = stored - possible
        stored = possible
        count(left: missing)
        let reason = hasLostOwner ? RejectionReason.takenOver : mayMissForgotten ? .forgotten : .lostByLedger
        reject(missing, reason, &actions)
    }

    private mutating func giveUp(read ids: [EventID], _ reason: RejectionReason, _ actions: inout [Action]) {
        if ids.isEmpty { return }
        count(left: ids.count)
        reject(ids.count, reason, &actions)
        actions.append(.forget(ids))
    }

    private mutating func countRead(_ id: EventID) {
        if position?.isOwn(id) == true && stored > 0 {
            stored -= 1
        } else {
            tally.restored += 1
            countRestored()
        }
        position?.didHold(id)
    }

    /// How many events may be taken over now. Events of this process and its earlier owners come first: a read that has
    /// not ended would find the events that were taken over a second time.
    var takeoverRoom: Int {
        isStopped || stored > 0 || position?.isRestored == false ? 0 : max(0, window / 2 - inMemory)
    }

    /// Accepts events that were taken over from another process.
    mutating func takeOver(_ events: [QueuedEvent], unreadable: [EventID], _ actions: inout [Action]) {
        tally.restored += events.count + unreadable.count
        count(entered: events.count + unreadable.count)
        giveUp(read: unreadable, .unreadable, &actions)
        for event in events { enqueueRead(event) }
        postpone()
    }

    /// The ids of the events in memory. After this process has begun a new owner, a read may find events that it had
    /// taken over.
    private var heldIDs: Set<EventID> { Set([inFlight[...], queue].joined().compactMap(\.ledgerID)) }
}
