import ConvertConcurrency

/// What the journal gives back.
extension DeliveryState {
    /// Takes what the journal gave, as far as there is room.
    mutating func take(
        _ given: [QueuedEvent], _ unreadable: [Int64], through: Int64, isEnd: Bool, now: Duration,
        _ actions: inout [Action]
    ) {
        guard let before = position else { return }
        readFailures = 0
        let events = given.sorted { ($0.journalID ?? 0) < ($1.journalID ?? 0) }
        let ids = given.map { $0.journalID ?? 0 }
        // A journal must not give such rows. They are passed over, not forgotten: its next owner reads them all.
        let isTrusted =
            (ids + unreadable).allSatisfy { before.isUnread($0) } && zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
        if !isTrusted { actions.append(.distrustJournal) }
        var isEnd = isEnd
        var end = Int64.max
        var taken = 0
        for event in events {
            guard let id = event.journalID, position?.isUnread(id) == true else { continue }
            if position?.isOwn(id) == true { enqueueTail(before: id) }
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
        let lost = Set(unreadable.filter { $0 < end && before.isUnread($0) }).sorted()
        if !lost.isEmpty {
            for id in lost { countRead(id) }
            count(left: lost.count)
            tally.reject(lost.count, .unreadable)
            actions += [.report(count: lost.count, .unreadable), .forget(lost)]
        }
        let isCut = end != .max
        if !isCut {
            position?.didTakeAll()
            if isTrusted { position?.didPass(through) }
        }
        // A full portion without anything new: to ask again at once would be to ask for ever.
        if !isEnd && !isTrusted && taken == 0 && lost.isEmpty && !isCut {
            failRead(retryAt: now + policy.backoff.longest, &actions)
            return
        }
        let possible = position?.endRead(isEnd: isEnd) ?? 0
        guard isEnd else { return }
        if stored > possible {
            let missing = stored - possible
            stored = possible
            count(left: missing)
            tally.reject(missing, .lostByJournal)
            actions.append(.report(count: missing, .lostByJournal))
        }
        if stored == 0 {
            if !PlantedFault.isPlanted("tail-forgotten") { enqueueTail() }
            // They had to wait behind what only the journal had.
            if !unjournaled(1).isEmpty, !PlantedFault.isPlanted("tail-not-offered") { actions.append(.offerJournal) }
        }
    }

    private mutating func countRead(_ id: Int64) {
        if position?.isOwn(id) == true && stored > 0 {
            stored -= 1
        } else {
            tally.restored += 1
            count(entered: 1)
            position?.didRestore(id)
        }
        position?.didHold(id)
    }
}
