/// The backtracker's record of pairs of instruction and position from which nothing matched.
///
/// The size of the table is limited: a new pair may evict another pair. A missing pair costs steps, but never changes
/// an answer.
struct FailureTable {
    private var keys: [UInt64] = []
    private var used = 0

    private static let initialCapacity = 1 << 10

    func contains(_ instruction: Int, _ position: Int) -> Bool {
        guard used > 0 else { return false }
        let key = Self.key(instruction, position)
        return keys[slot(key)] == key
    }

    mutating func insert(_ instruction: Int, _ position: Int) {
        if 2 * used >= keys.count, keys.count < RegExpLimits.failureEntries { grow() }
        store(Self.key(instruction, position))
    }

    /// Removes all pairs, and releases their memory.
    mutating func removeAll() {
        guard used > 0 else { return }
        keys = []
        used = 0
    }

    private mutating func store(_ key: UInt64) {
        let slot = slot(key)
        if keys[slot] == 0 { used += 1 }
        keys[slot] = key
    }

    private mutating func grow() {
        let old = keys
        keys = [UInt64](repeating: 0, count: max(Self.initialCapacity, 4 * old.count))
        used = 0
        for key in old where key != 0 { store(key) }
    }

    /// The key of a pair. It is never zero, because zero marks a free slot.
    private static func key(_ instruction: Int, _ position: Int) -> UInt64 {
        UInt64(instruction) << 32 | UInt64(position + 1)
    }

    /// The slot of a key. It uses the highest bits of the product, because only they depend on the key's upper half,
    /// the instruction.
    private func slot(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 40) & (keys.count - 1)
    }
}
