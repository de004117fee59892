/// Events on their way in.
extension DeliveryState {
    mutating func accept(_ event: QueuedEvent, following: Int, _ actions: inout [Action]) {
        tally.accepted += 1
        var event = event
        event.serial = tally.accepted
        switch event.journalID.flatMap({ journal?.didAccept($0, following: following) }) {
        case .alreadyRead:
            // The read was quicker than the tracking thread, and took it for one that an earlier process left.
            tally.restored -= 1
            return
        case .outOfOrder:
            // By such an id the event could not be found again: it counts as one that the journal did not take.
            event.journalID = nil
            actions.append(.distrustJournal)
        case .new, nil: break
        }
        if isStopped {
            // The next process delivers what the journal has.
            if event.journalID == nil { give(up: [event], .shutDown, &actions) } else { countStored() }
        } else if event.journalID != nil {
            let isNext = stored == 0 && tail.isEmpty && journal?.isRestoring != true && hasRoom(for: event)
            isNext ? hold(event) : countStored()
        } else if makeRoom(for: event, &actions) {
            if journal.map({ $0.isRestoring || stored > 0 || !tail.isEmpty }) ?? false {
                event.follows = journal?.lastOwn
                tail.append(event)
                bytes += event.byteCount
                count(entered: 1)
            } else {
                hold(event)
            }
        }
    }

    private mutating func countStored() {
        stored += 1
        count(entered: 1)
        journal?.countStored()
    }

    private mutating func hold(_ event: QueuedEvent) {
        enqueue(event)
        journal?.didHold(event.journalID)
        count(entered: 1)
    }

    /// Up to `limit` of the events that the journal could not take when they came, the oldest first.
    func unjournaled(_ limit: Int) -> [QueuedEvent] {
        guard let journal else { return [] }
        // An event before ones that only the journal has must not get an id behind theirs: they would not be read any more.
        let isBehind = journal.isRestoring || stored > 0
        let events = isBehind ? [tail[...]] : [inFlight[...], queue, tail[...]]
        return Array(events.joined().lazy.filter { $0.journalID == nil }.prefix(limit))
    }

    /// Takes note that the journal has the event with the serial now, as `id`.
    mutating func adopt(_ id: Int64, for serial: Int, following: Int, _ actions: inout [Action]) {
        switch journal?.didAccept(id, following: following) {
        case .new: break
        case .alreadyRead:
            // It was read meanwhile, and taken for one that an earlier process left.
            if !drop(serial) { return }
            tally.restored -= 1
            count(left: 1)
            return
        case .outOfOrder:
            actions.append(.distrustJournal)
            return
        case nil: return
        }
        if let place = tail.firstIndex(where: { $0.serial == serial }) {
            bytes -= tail.remove(at: place).byteCount
            stored += 1
            journal?.countStored()
            // The rest of them came later.
            for index in tail.indices { tail[index].follows = id }
        } else if journal?.isRestoring == false, stored == 0, give(id, to: serial) {
            journal?.didHold(id)
        } else {
            // It is delivered by now, or given up.
            actions.append(.forget([id]))
        }
    }

    private mutating func give(_ id: Int64, to serial: Int) -> Bool {
        if let place = queue.firstIndex(where: { $0.serial == serial }) {
            queue[place].journalID = id
        } else if let place = inFlight.firstIndex(where: { $0.serial == serial }) {
            inFlight[place].journalID = id
        } else {
            return false
        }
        return true
    }

    /// Drops the event with the serial from memory, where it waits. Returns whether it was there.
    private mutating func drop(_ serial: Int) -> Bool {
        if let place = tail.firstIndex(where: { $0.serial == serial }) {
            bytes -= tail.remove(at: place).byteCount
        } else if let place = queue.firstIndex(where: { $0.serial == serial }) {
            bytes -= queue.remove(at: place).byteCount
        } else {
            return false
        }
        return true
    }

    /// Moves events from `tail` into the queue, up to the first that came after the one with the id was appended.
    mutating func enqueueTail(before id: Int64 = .max) {
        let count = tail.prefix { id == .max || ($0.follows ?? .min) < id }.count
        queue += tail.prefix(count)
        tail.removeFirst(count)
    }
}
