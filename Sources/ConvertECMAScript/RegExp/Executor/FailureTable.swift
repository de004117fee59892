/// The backtracker's record of pairs of instruction and position from which nothing matched.
///
/// Its size is limited: a new pair may evict another one. A missing pair costs steps, but never changes an answer.
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

    /// Removes all pairs, and releases the memory if it is more than a little.
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

    /// Never zero, which marks a free slot.
    private static func key(_ instruction: Int, _ position: Int) -> UInt64 {
        UInt64(instruction) << 32 | UInt64(position + 1)
    }

    /// Uses the highest bits of the product, because only they depend on the instruction, the key's upper half.
    private func slot(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 40) & (keys.count - 1)
    }
}
