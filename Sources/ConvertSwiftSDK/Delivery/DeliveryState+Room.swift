/// The bounds of the memory.
extension DeliveryState {
    /// Whether `event` may join those in memory.
    func hasRoom(for event: QueuedEvent) -> Bool {
        inMemory == 0 || inMemory < policy.capacity && event.byteCount <= policy.byteCapacity - bytes
    }

    /// Makes room for `event` in memory, or gives it up.
    mutating func makeRoom(for event: QueuedEvent, _ actions: inout [Action]) -> Bool {
        if hasRoom(for: event) { return true }
        guard policy.overflow == .dropOldest, let count = countToDrop(for: event) else {
            give(up: [event], .overflow, &actions)
            return false
        }
        let dropped = Array(queue.prefix(count))
        queue.removeFirst(count)
        bytes -= dropped.byteCount
        resent = max(0, resent - count)
        self.count(left: count)
        give(up: dropped, .overflow, &actions)
        return true
    }

    /// How many of the oldest events must go for `event`; `nil` if not even all would do.
    private func countToDrop(for event: QueuedEvent) -> Int? {
        guard event.byteCount <= policy.byteCapacity else { return nil }
        var room = policy.byteCapacity - bytes
        var places = policy.capacity - inMemory
        for (index, oldest) in queue.enumerated() {
            room += oldest.byteCount
            places += 1
            if room >= event.byteCount && places > 0 { return index + 1 }
        }
        return nil
    }
}

extension Sequence<QueuedEvent> {
    /// The bytes of all of them.
    var byteCount: Int { reduce(0) { $0 + $1.byteCount } }
}
