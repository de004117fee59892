/// Events that the ledger keeps for the next start.
///
/// A ledger may have many events of an SDK key or project that the endpoint no longer accepts. If they filled the
/// memory, events of the current one would never be read. So only the oldest of them stay in memory, and are retried
/// after each pause. The ledger keeps all others until the next process reads it, in order.
///
/// This applies only to destinations for which this process has tracked nothing. A process that tracks events of a
/// destination sends them itself once the endpoint accepts them.
extension DeliveryState {
    /// Adds an event that was read from the ledger, unless it is kept for the next start.
    mutating func enqueueRead(_ event: consuming QueuedEvent) {
        if isPostponed(event) {
            postponedCount += 1
            count(left: 1)
        } else {
            enqueue(event)
        }
    }

    /// Whether the ledger keeps `event`, which was read from it, for the next start.
    func isPostponed(_ event: QueuedEvent) -> Bool {
        !postponed.isEmpty && postponed.contains(event.destination)
    }

    /// Records the destination of a tracked event.
    mutating func noteTracked(_ destination: TrackingDestination) {
        // All events of a config share one destination object.
        if tracked.last === destination { return }
        let isKnown = tracked.contains(destination)
        tracked.removeAll { $0 == destination }
        tracked.append(destination)
        if isKnown { return }
        postponed.removeAll { $0 == destination }
        postpone()
    }

    /// Removes the newest events of refused destinations from memory, above a quarter of the window. The ledger keeps
    /// them.
    mutating func postpone() {
        // Before the first event is tracked, a refused destination may be the current one.
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
