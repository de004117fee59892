import ConvertConcurrency
import ConvertMonitoring

/// The bounds of the memory.
extension DeliveryState {
    /// Whether `event` may join those in memory.
    func hasRoom(for event: QueuedEvent) -> Bool {
        if PlantedFault.isPlanted("queue-unbounded") { return true }
        return inMemory == 0 || inMemory < policy.capacity && event.byteCount <= policy.byteCapacity - bytes
    }

    /// How many of the events that the ledger has may be in memory. Half of the room is kept for events that go out
    /// without the ledger, because those are nowhere else.
    var window: Int { position == nil ? .max : max(1, policy.capacity / 2) }

    /// Whether `event`, which the ledger has, may join those in memory.
    func hasWindow(for event: QueuedEvent) -> Bool {
        inMemory == 0 || inMemory < window && event.byteCount <= policy.byteCapacity / 2 - bytes
    }

    /// Makes room for `event` in memory, or gives it up. What the ledger has is never given up.
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

    /// The oldest events that must go for `event`; `nil` if not even all would do.
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
    /// The bytes of all of them.
    var byteCount: Int { reduce(0) { $0 + $1.byteCount } }
}
