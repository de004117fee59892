/// An open-addressing table that maps hashes to places in a separate list. Because it stores each entry's hash, nearly
/// every access to the list finds the right element. Places and slot numbers are below 2^32, so `&+` never overflows.
@usableFromInline
package struct HashIndex: ~Copyable, Sendable {
    /// A slot of the table.
    @usableFromInline
    struct Slot: Sendable, BitwiseCopyable {
        @usableFromInline var hash: UInt32 = 0
        /// Place in the list + 1; 0 marks a free slot.
        @usableFromInline var place: UInt32 = 0

        @inlinable init() {}
    }

    /// The slots. Their number is a power of two, and at most half of them are used, so that probing always reaches a
    /// free slot.
    @usableFromInline var slots: Rows<Slot>
    private var count: Int

    /// An empty index.
    package init() {
        slots = Rows(repeating: Slot(), count: 16)
        count = 0
    }

    /// Creates a copy of `index`.
    init(copying index: borrowing HashIndex) {
        slots = Rows(copying: index.slots)
        count = index.count
    }

    /// The place with this hash that `isMatch` accepts, or `nil` if there is no such place.
    @inlinable @inline(__always)
    package func place(hash: UInt32, where isMatch: (Int) -> Bool) -> Int? {
        let mask = slots.count &- 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index].place != 0 {
            let place = Int(slots[index].place) &- 1
            if slots[index].hash == hash, isMatch(place) { return place }
            index = (index &+ 1) & mask
        }
        return nil
    }

    /// Adds `place`, which must not be in the index yet.
    package mutating func insert(_ place: Int, hash: UInt32) {
        count += 1
        if count * 2 > slots.count {
            var larger = Rows(repeating: Slot(), count: slots.count * 2)
            for slot in slots.elements where slot.place != 0 { Self.enter(slot, in: &larger) }
            slots = larger
        }
        var slot = Slot()
        (slot.hash, slot.place) = (hash, UInt32(truncatingIfNeeded: place + 1))
        Self.enter(slot, in: &slots)
    }

    private static func enter(_ slot: Slot, in slots: inout Rows<Slot>) {
        let mask = slots.count - 1
        var index = Int(truncatingIfNeeded: slot.hash) & mask
        while slots[index].place != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }
}
