/// The variations that visitors had last, and the configs that decided them, in bounded memory.
///
/// A table with linear probing: the keys are hashes already, and hashing them again took a tenth of a log's time
/// (workload `srm`). The factor by which they find their slots is random, so that no log fills neighbouring slots.
struct KnownVisitors: Sendable {
    /// A variation that a visitor had.
    struct Variation: Sendable {
        var arm: Int
        var config: Int
    }

    /// In place of an arm: the visitor had no variation. In place of the config stands the number of the allocation.
    static let noArm = Int(UInt16.max) - 1

    /// How many experiences share an entry at most. A visitor is mostly in several, whose own entries would lie far
    /// apart in memory.
    private static let mostWidth = 4

    private let limit: Int
    private let width: Int
    private let factor = UInt64.random(in: 0...UInt64.max) | 1
    private var count = 0
    /// The number of bits of a slot's number.
    private var bits = 4
    /// By slot the visitor and the group of experiences; 0 for a free one.
    private var keys: [UInt64]
    /// By slot and experience of the group the arm, counted from 1, and the config; 0 for no variation.
    private var values: [UInt32]

    /// Whether a visitor was not kept.
    private(set) var isFull = false

    /// No visitors.
    ///
    /// - Parameters:
    ///   - experiences: how many experiences visitors are known in.
    ///   - limit: how many entries are kept; unless it is given, as many as take some 100 MB.
    init(experiences: Int = Self.mostWidth, limit: Int? = nil) {
        width = min(max(1, experiences), Self.mostWidth)
        self.limit = limit ?? (width == 1 ? 6_000_000 : 3_000_000)
        keys = Array(repeating: 0, count: 1 << bits)
        values = Array(repeating: 0, count: width << bits)
    }

    /// Takes the variation that a visitor has now.
    ///
    /// - Parameters:
    ///   - variation: the variation.
    ///   - visitor: the hash of the visitor's id.
    ///   - experience: the number of the experience.
    /// - Returns: the variation before; `nil` if the visitor is new in the experience, or was not kept.
    mutating func update(_ variation: Variation, of visitor: UInt64, in experience: Int) -> Variation? {
        let (group, place) = experience.quotientAndRemainder(dividingBy: width)
        let key = max(1, visitor &+ UInt64(group) &* 0x9e37_79b9_7f4a_7c15)
        var slot = slot(of: key)
        if keys[slot] == 0 {
            guard count < limit else {
                isFull = true
                return nil
            }
            if count >= keys.count / 4 * 3 {
                grow()
                slot = self.slot(of: key)
            }
            keys[slot] = key
            count += 1
        }
        var last = UInt32(UInt16(clamping: variation.arm + 1)) << 16 | UInt32(UInt16(clamping: variation.config))
        swap(&last, &values[slot * width + place])
        return last == 0 ? nil : Variation(arm: Int(last >> 16) - 1, config: Int(last & 0xffff))
    }

    /// Notes that a visitor without a variation has none under the allocation with the number.
    mutating func note(undealtUnder allocation: Int, _ visitor: UInt64, in experience: Int) {
        let known = update(Variation(arm: Self.noArm, config: allocation), of: visitor, in: experience)
        // The first one decides, and a visitor with a variation keeps it.
        if let known { _ = update(known, of: visitor, in: experience) }
    }

    /// The slot that has the key, or the free one that it would have.
    private func slot(of key: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: (key &* factor) >> UInt64(64 - bits))
        while keys[slot] != key, keys[slot] != 0 { slot = (slot + 1) & (keys.count - 1) }
        return slot
    }

    private mutating func grow() {
        let (oldKeys, oldValues) = (keys, values)
        bits += 1
        keys = Array(repeating: 0, count: 1 << bits)
        values = Array(repeating: 0, count: width << bits)
        for old in oldKeys.indices where oldKeys[old] != 0 {
            let slot = slot(of: oldKeys[old])
            keys[slot] = oldKeys[old]
            for place in 0..<width { values[slot * width + place] = oldValues[old * width + place] }
        }
    }
}
