import ConvertConcurrency
import ConvertMonitoring

/// The limits of the memory.
extension DeliveryState {
    /// Whether there is room in memory for `event`.
    func hasRoom(for event: QueuedEvent) -> Bool {
        if PlantedFault.isPlanted("queue-unbounded") { return true }
        return inMemory == 0 || inMemory < policy.capacity && event.byteCount <= policy.byteCapacity - bytes
    }

    /// How many events of the ledger may be in memory. Half of the capacity is reserved for events that are sent
    /// without the ledger, because no other copy of them exists.
    var window: Int { position == nil ? .max : max(1, policy.capacity / 2) }

    /// Whether there is room in memory for `event`, which the ledger has.
    func hasWindow(for event: QueuedEvent) -> Bool {
        inMemory == 0 || inMemory < window && event.byteCount <= policy.byteCapacity / 2 - bytes
    }

    /// Makes room for `event` in memory, or rejects it. Never rejects events that the ledger has.
    mutating func makeRoom(for event: QueuedEvent, _ actions: inout [Action]) -> Bool {
        if hasRoom(for: event) { return true }
        guard policy.overflow == .dropOldest, let dropped = eventsToDrop(for: event) else {
            if !PlantedFault.isPlanted("overflow-not-counted") { give(up: [event], .overflow, &actions) }
            return false
        }
        if dropped.last?.serial == queue.prefix(dropped.count).last?.serial {
            queue.removeFirst(dropped.count)
            heldCount = max(0, heldCount - dropped.count)
        } else {
            let serials = Set(dropped.map(\.serial))
            heldCount = 0
            queue.removeAll { $0.ledgerID == nil && serials.contains($0.serial) }
        }
        bytes -= dropped.byteCount
        count(left: dropped.count)
        give(up: dropped, .overflow, &actions)
        return true
    }

    /// The oldest events to drop for `event`; `nil` if dropping all would not be enough.
    private func eventsToDrop(for event: QueuedEvent) -> [QueuedEvent]? {
        guard event.byteCount <= policy.byteCapacity else { return nil }
        var room = policy.byteCapacity - bytes
        var places = policy.capacity - inMemory
        var dropped: [QueuedEvent] = []
        for oldest in queue where oldest.ledgerID == nil {
            dropped.append(oldest)
            room += oldest.byteCount
            places += 1
            if room >= event.byteCount && places > 0 { return dropped }
        }
        return nil
    }
}

extension Sequence<QueuedEvent> {
    /// The bytes of all events.
    var byteCount: Int { reduce(0) { $0 + $1.byteCount } }
}
