import ConvertConcurrency

/// Events on their way in.
extension DeliveryState {
    mutating func accept(_ event: consuming QueuedEvent, following: Int, _ actions: inout [Action]) {
        tally.accepted += 1
        event.serial = tally.accepted
        noteTracked(event.destination)
        switch event.journalID.flatMap({ position?.didAccept($0, following: following) }) {
        case .alreadyRead:
            // The read was quicker than the tracking thread, and took it for one that an earlier process left.
            if !PlantedFault.isPlanted("read-counted-twice") { tally.restored -= 1 }
            return
        case .outOfOrder:
            // By such an id the event could not be found again: it counts as one that the journal did not take.
            event.journalID = nil
            event.isRefused = true
            actions.append(.distrustJournal)
        case .new, nil: break
        }
        if isStopped {
            // The next process delivers what the journal has.
            if event.journalID == nil { give(up: [event], .shutDown, &actions) } else { countStored() }
        } else if event.journalID != nil {
            let isNext = stored == 0 && tail.isEmpty && position?.isRestoring != true && hasWindow(for: event)
            isNext ? hold(event) : countStored()
        } else if makeRoom(for: event, &actions) {
            if position.map({ $0.isRestoring || stored > 0 || !tail.isEmpty }) ?? false {
                event.follows = position?.lastOwn
                bytes += event.byteCount
                tailBytes += event.byteCount
                tail.append(event)
                count(entered: 1)
            } else {
                hold(event)
            }
        }
    }

    private mutating func countStored() {
        stored += 1
        count(entered: 1)
        position?.countStored()
    }

    private mutating func hold(_ event: consuming QueuedEvent) {
        let id = event.journalID
        enqueue(event)
        position?.didHold(id)
        count(entered: 1)
    }

    /// Up to `limit` of the events that the journal could not take when they came, the oldest first.
    func unjournaled(_ limit: Int) -> [QueuedEvent] {
        guard let position else { return [] }
        // An event before ones that only the journal has must not get an id behind theirs: they would not be read any more.
        let isBehind = position.isRestoring || stored > 0
        if PlantedFault.isPlanted("waiting-not-offered"), !isBehind { return [] }
        let events = isBehind ? [tail[...]] : [inFlight[...], queue, tail[...]]
        return Array(events.joined().lazy.filter { $0.journalID == nil && !$0.isRefused }.prefix(limit))
    }

    /// Takes note of the ids under which the journal has events now, by their serials, the oldest first.
    mutating func adopt(_ ids: [(serial: Int, id: Int64)], _ actions: inout [Action]) {
        var adopted: [Int: Int64] = [:]
        // They were read meanwhile, and taken for ones that an earlier process left.
        var read: Set<Int> = []
        var refused: Set<Int> = []
        for (index, (serial, id)) in ids.enumerated() {
            switch position?.didAccept(id, following: ids.count - 1 - index) {
            case .new: adopted[serial] = id
            case .alreadyRead: read.insert(serial)
            case .outOfOrder: refused.insert(serial)
            case nil: break
            }
        }
        if !refused.isEmpty {
            refuse(refused)
            actions.append(.distrustJournal)
        }
        if position?.isRestoring == false && stored == 0 { giveIDs(&adopted) }
        adoptTail(&adopted, &read)
        if !read.isEmpty {
            for event in queue where read.contains(event.serial) { forgetDouble(event) }
            queue.removeAll { read.contains($0.serial) }
            heldCount = 0
        }
        // They are delivered by now, or given up.
        if !adopted.isEmpty { actions.append(.forget(adopted.values.sorted())) }
    }

    /// Notes the ids of events that stay in memory.
    private mutating func giveIDs(_ ids: inout [Int: Int64]) {
        for index in inFlight.indices where !ids.isEmpty {
            guard let id = ids.removeValue(forKey: inFlight[index].serial) else { continue }
            inFlight[index].journalID = id
            position?.didHold(id)
        }
        for index in queue.indices where !ids.isEmpty {
            guard let id = ids.removeValue(forKey: queue[index].serial) else { continue }
            queue[index].journalID = id
            position?.didHold(id)
        }
    }

    /// Leaves events of `tail` to the journal that has them now, in one pass: it may be long.
    private mutating func adoptTail(_ ids: inout [Int: Int64], _ read: inout Set<Int>) {
        if ids.isEmpty && read.isEmpty { return }
        var rest: [QueuedEvent] = []
        rest.reserveCapacity(tail.count)
        var last: Int64?
        for var event in tail {
            if let id = ids.removeValue(forKey: event.serial) {
                bytes -= event.byteCount
                stored += 1
                position?.countStored()
                last = id
            } else if read.remove(event.serial) != nil {
                forgetDouble(event)
            } else {
                // It came later.
                event.follows = last ?? event.follows
                rest.append(event)
            }
        }
        tail = rest
        tailBytes = rest.byteCount
    }

    private mutating func forgetDouble(_ event: QueuedEvent) {
        bytes -= event.byteCount
        tally.restored -= 1
        count(left: 1)
    }

    /// Takes note of events that the journal took, but under ids by which they cannot be found: they are not offered again.
    private mutating func refuse(_ serials: Set<Int>) {
        for index in inFlight.indices where serials.contains(inFlight[index].serial) {
            inFlight[index].isRefused = true
        }
        for index in queue.indices where serials.contains(queue[index].serial) { queue[index].isRefused = true }
        for index in tail.indices where serials.contains(tail[index].serial) { tail[index].isRefused = true }
    }

    /// Moves events from `tail` into the queue, up to the first that came after the one with the id was appended.
    mutating func enqueueTail(before id: Int64 = .max) {
        let count = tail.prefix { id == .max || ($0.follows ?? .min) < id }.count
        tailBytes -= tail.prefix(count).byteCount
        queue += tail.prefix(count)
        tail.removeFirst(count)
    }
}
