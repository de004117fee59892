/// Events that the ledger keeps for the next start.
///
/// A ledger may have many events of an SDK key or project that the endpoint does not take any more. They must not fill
/// the memory, or events of the current one would never be read. So only the oldest of them stay in memory and are sent
/// again after each pause; the ledger keeps all others until the next process reads it, in their order.
///
/// This concerns only destinations of which this process has tracked nothing: a process that tracks events of a
/// destination sends them itself once the endpoint takes them.
extension DeliveryState {
    /// Takes an event that the ledger gave into memory, unless it is kept for the next start.
    mutating func enqueueRead(_ event: consuming QueuedEvent) {
        if isPostponed(event) {
            postponedCount += 1
            count(left: 1)
        } else {
            enqueue(event)
        }
    }

    /// Whether the ledger keeps `event`, which it gave, for the next start.
    func isPostponed(_ event: QueuedEvent) -> Bool {
        !postponed.isEmpty && postponed.contains(event.destination)
    }

    /// Notes the destination of an event that was tracked.
    mutating func noteTracked(_ destination: TrackingDestination) {
        // All events of a config share one.
        if tracked.last === destination { return }
        let isKnown = tracked.contains(destination)
        tracked.removeAll { $0 == destination }
        tracked.append(destination)
        if isKnown { return }
        postponed.removeAll { $0 == destination }
        postpone()
    }

    /// Leaves the newest events of refused destinations to the ledger, beyond a quarter of the window.
    mutating func postpone() {
        // Before the first event is tracked, a destination that is refused may be the current one.
        if tracked.isEmpty || position == nil { return }
        let refused = standings.filter { $0.isRefused && !tracked.contains($0.destination) }.map(\.destination)
        for destination in refused {
            postpone(
                destination, beyond: window / 4 / refused.count, bytes: policy.byteCapacity / 8 / refused.count)
        }
    }

    private mutating func postpone(_ destination: TrackingDestination, beyond count: Int, bytes room: Int) {
        var (places, room) = (count, room)
        var rest: ArraySlice<QueuedEvent> = []
        for event in queue {
            guard event.destination == destination, event.ledgerID != nil else {
                rest.append(event)
                continue
            }
            places -= 1
            room -= event.byteCount
            if places >= 0 && room >= 0 { rest.append(event) } else { bytes -= event.byteCount }
        }
        let removed = queue.count - rest.count
        if removed == 0 { return }
        queue = rest
        heldCount = 0
        postponedCount += removed
        self.count(left: removed)
        if !postponed.contains(destination) { postponed.append(destination) }
    }
}
