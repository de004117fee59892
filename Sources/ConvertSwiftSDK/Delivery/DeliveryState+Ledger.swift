import ConvertConcurrency

/// What the ledger gives back.
extension DeliveryState {
    /// Takes what the ledger gave, in the order of the ids, as far as there is room.
    mutating func take(
        read events: [QueuedEvent], unreadable: [EventID], isEnd: Bool, now: Duration, _ actions: inout [Action]
    ) {
        guard let before = position else { return }
        readFailures = 0
        var isEnd = isEnd
        var end: EventID?
        // They come in a moment, with the outcome of their commit.
        let isEarly = events.contains { $0.ledgerID.map(before.isUntold) ?? false }
        var taken = 0
        for event in events {
            guard let id = event.ledgerID, before.isWanted(id) else { continue }
            let hasRoom = queue.isEmpty && inFlight.isEmpty || event.byteCount <= policy.byteCapacity - bytes
            guard hasRoom || isPostponed(event) else {
                position?.didCut(after: taken, size: event.byteCount)
                end = id
                isEnd = false
                break
            }
            countRead(id)
            enqueueRead(event)
            taken += 1
        }
        let lost = unreadable.filter { id in before.isWanted(id) && end.map { id < $0 } ?? true }
        if !lost.isEmpty {
            for id in lost { countRead(id) }
            count(left: lost.count)
            tally.reject(lost.count, .unreadable)
            actions += [.report(count: lost.count, .unreadable), .forget(lost)]
        }
        if end == nil { position?.didTakeAll() }
        // A full portion without anything new: to ask again at once would be to ask for ever.
        if !isEnd && end == nil && taken == 0 && lost.isEmpty {
            if isEarly {
                position?.readAgainOnceTold(retryAt: now + policy.backoff.first)
                return
            }
            return failRead(retryAt: now + policy.backoff.longest, &actions)
        }
        let possible = position?.endRead(isEnd: isEnd) ?? 0
        guard isEnd, stored > possible else { return }
        let missing = stored - possible
        stored = possible
        count(left: missing)
        let reason = hasLostOwner ? RejectionReason.takenOver : hasForgotten ? .forgotten : .lostByLedger
        hasForgotten = false
        tally.reject(missing, reason)
        actions.append(.report(count: missing, reason))
    }

    private mutating func countRead(_ id: EventID) {
        if position?.isOwn(id) == true && stored > 0 {
            stored -= 1
        } else {
            tally.restored += 1
            count(entered: 1)
        }
        position?.didHold(id)
    }

    /// How many events may be taken over now. What this process tracked comes first, and what its earlier ones left: a read
    /// that is not over would find what was taken over once more.
    var takeoverRoom: Int {
        isStopped || stored > 0 || position?.isRestored == false ? 0 : max(0, window / 2 - inMemory)
    }

    /// Takes events over that another process left, beside those that the ledger is read for.
    mutating func takeOver(_ events: [QueuedEvent], unreadable: [EventID], _ actions: inout [Action]) {
        tally.restored += events.count + unreadable.count
        count(entered: events.count + unreadable.count, left: unreadable.count)
        if !unreadable.isEmpty {
            tally.reject(unreadable.count, .unreadable)
            actions += [.report(count: unreadable.count, .unreadable), .forget(unreadable)]
        }
        for event in events { enqueueRead(event) }
        postpone()
    }

    /// Gives up a visitor's events, because the visitor is to be forgotten.
    mutating func forget(_ isForgotten: (QueuedEvent) -> Bool, _ actions: inout [Action]) {
        hasForgotten = hasForgotten || stored > 0
        let forgotten = queue.filter(isForgotten)
        if forgotten.isEmpty { return }
        queue.removeAll(where: isForgotten)
        heldCount = 0
        bytes -= forgotten.byteCount
        count(left: forgotten.count)
        give(up: Array(forgotten), .forgotten, &actions)
    }
}
