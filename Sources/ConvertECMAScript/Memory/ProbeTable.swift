/// An open-addressing table from hashes to places in a list that lies elsewhere. It keeps each entry's hash, so nearly
/// every look at the list finds what is looked for.
struct ProbeTable: Sendable {
    private struct Slot {
        var hash: UInt32 = 0
        /// Place in the list + 1; 0 is free.
        var place: UInt32 = 0
    }

    /// At most half full, so probing always meets a free slot.
    private var slots = [Slot](repeating: Slot(), count: 16)
    private var count = 0

    /// The place with this hash that `isMatch` accepts, or `nil` if there is none.
    @inline(__always)
    func place(hash: UInt32, where isMatch: (Int) -> Bool) -> Int? {
        let mask = slots.count &- 1
        var index = Int(hash) & mask
        while slots[index].place != 0 {
            let place = Int(slots[index].place) &- 1
            if slots[index].hash == hash, isMatch(place) { return place }
            index = (index &+ 1) & mask
        }
        return nil
    }

    /// Enters `place`, which must not be in the table yet.
    mutating func insert(_ place: Int, hash: UInt32) {
        count += 1
        if count * 2 > slots.count {
            let old = slots
            slots = [Slot](repeating: Slot(), count: old.count * 2)
            for slot in old where slot.place != 0 { enter(slot) }
        }
        enter(Slot(hash: hash, place: UInt32(truncatingIfNeeded: place + 1)))
    }

    private mutating func enter(_ slot: Slot) {
        let mask = slots.count - 1
        var index = Int(slot.hash) & mask
        while slots[index].place != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }
}
