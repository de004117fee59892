/// The last mark of each visitor in each experience, in bounded memory.
///
/// A hash table with linear probing. The keys are hashes already; hashing them again took a tenth of the time of
/// reading a log (workload `srm`). The factor for finding slots is random, so that no log can fill adjacent slots on
/// purpose.
struct KnownVisitors: Sendable {
    /// Two numbers, whose meaning the owner of the table defines. The first one is below 65,535, the second one below
    /// 65,536.
    struct Mark: Sendable {
        var first: Int
        var second: Int
    }

    /// The maximum number of experiences in one entry. Most visitors are in several, and separate entries would be far
    /// apart in memory.
    private static let mostWidth = 4

    private let limit: Int
    private let width: Int
    private let factor = UInt64.random(in: 0...UInt64.max) | 1
    private var count = 0
    /// The number of bits in a slot's index.
    private var bits = 4
    /// For each slot, the key of a visitor and a group of experiences; 0 if the slot is free.
    private var keys: [UInt64]
    /// For each slot and each experience of its group, both numbers of the mark in one word, the first one increased
    /// by 1; 0 if there is no mark.
    private var values: [UInt32]

    /// Whether a visitor was dropped because the table was full.
    private(set) var isFull = false

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - experiences: the number of experiences.
    ///   - limit: the maximum number of entries; by default as many as take some 100 MB.
    init(experiences: Int = Self.mostWidth, limit: Int? = nil) {
        width = min(max(1, experiences), Self.mostWidth)
        self.limit = limit ?? (width == 1 ? 6_000_000 : 3_000_000)
        keys = Array(repeating: 0, count: 1 << bits)
        values = Array(repeating: 0, count: width << bits)
    }

    /// Marks a visitor.
    ///
    /// - Parameters:
    ///   - mark: the new mark.
    ///   - visitor: the hash of the visitor's id.
    ///   - experience: the number of the experience.
    /// - Returns: the mark before; `nil` if the visitor is new in the experience, or was not kept.
    mutating func update(_ mark: Mark, of visitor: UInt64, in experience: Int) -> Mark? {
        let (key, place) = key(of: visitor, in: experience)
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
        var last = UInt32(UInt16(clamping: mark.first + 1)) << 16 | UInt32(UInt16(clamping: mark.second))
        swap(&last, &values[slot * width + place])
        return Self.mark(last)
    }

    /// The visitor's last mark; `nil` if the visitor is new in the experience, or was not kept.
    func mark(of visitor: UInt64, in experience: Int) -> Mark? {
        let (key, place) = key(of: visitor, in: experience)
        let slot = slot(of: key)
        return keys[slot] == 0 ? nil : Self.mark(values[slot * width + place])
    }

    private static func mark(_ value: UInt32) -> Mark? {
        value == 0 ? nil : Mark(first: Int(value >> 16) - 1, second: Int(value & 0xffff))
    }

    /// The key of the visitor and the experience's group, and the experience's place in the group.
    private func key(of visitor: UInt64, in experience: Int) -> (key: UInt64, place: Int) {
        let (group, place) = experience.quotientAndRemainder(dividingBy: width)
        return (max(1, visitor &+ UInt64(group) &* 0x9e37_79b9_7f4a_7c15), place)
    }

    /// The slot of the key, or the free slot for it.
    private func slot(of key: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: (key &* factor) >> UInt64(64 - bits))
        while keys[slot] != key, keys[slot] != 0 { slot = (slot + 1) & (keys.count - 1) }
        return slot
    }

    /// Forgets visitors, after which there is room for others.
    ///
    /// - Parameter isKept: whether a visitor is kept, by the hash of the visitor's id. The table must have a single
    ///   experience.
    mutating func forget(except isKept: (UInt64) -> Bool) {
        rebuild(where: isKept)
        isFull = false
    }

    private mutating func grow() {
        bits += 1
        rebuild { _ in true }
    }

    private mutating func rebuild(where isKept: (UInt64) -> Bool) {
        let (oldKeys, oldValues) = (keys, values)
        keys = Array(repeating: 0, count: 1 << bits)
        values = Array(repeating: 0, count: width << bits)
        count = 0
        for old in oldKeys.indices where oldKeys[old] != 0 && isKept(oldKeys[old]) {
            let slot = slot(of: oldKeys[old])
            keys[slot] = oldKeys[old]
            count += 1
            for place in 0..<width { values[slot * width + place] = oldValues[old * width + place] }
        }
    }
}
