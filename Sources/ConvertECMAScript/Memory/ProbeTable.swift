/// An open-addressing table from hashes to places in a list that lies elsewhere. It keeps each entry's hash, so nearly
/// every look at the list finds what is looked for.
@usableFromInline
package struct ProbeTable: Sendable {
    /// A place in the table.
    @usableFromInline
    struct Slot: Sendable, BitwiseCopyable {
        @usableFromInline var hash: UInt32 = 0
        /// Place in the list + 1; 0 is free.
        @usableFromInline var place: UInt32 = 0
    }

    /// A table as bare memory.
    ///
    /// Unchecked because it points to memory, which nobody writes. Invariant: it is used only while the table that lends it
    /// or the owner of the copy lives; the mask is the number of slots less one, so every masked index is a slot's.
    @usableFromInline
    package struct View: @unchecked Sendable {
        @usableFromInline let slots: UnsafePointer<Slot>
        @usableFromInline let mask: Int

        @usableFromInline init(_ slots: UnsafePointer<Slot>, count: Int) {
            self.slots = slots
            mask = count &- 1
        }

        /// The place with this hash that `isMatch` accepts, or `nil` if there is none.
        @inlinable @inline(__always)
        package func place(hash: UInt32, where isMatch: (Int) -> Bool) -> Int? {
            var index = Int(truncatingIfNeeded: hash) & mask
            while slots[index].place != 0 {
                let place = Int(slots[index].place) &- 1
                if slots[index].hash == hash, isMatch(place) { return place }
                index = (index &+ 1) & mask
            }
            return nil
        }

        /// The place where a look-up looks first, if it has this hash.
        @inlinable @inline(__always)
        func firstPlace(hash: UInt32) -> Int? {
            let slot = slots[Int(truncatingIfNeeded: hash) & mask]
            return slot.hash == hash && slot.place != 0 ? Int(slot.place) &- 1 : nil
        }

        /// Frees a copy that ``ProbeTable/makeCopy()`` made.
        package func deallocate() { slots.deallocate() }
    }

    /// At most half full, so probing always meets a free slot.
    @usableFromInline var slots = [Slot](repeating: Slot(), count: 16)
    private var count = 0

    /// An empty table.
    package init() {}

    /// The place with this hash that `isMatch` accepts, or `nil` if there is none.
    @inlinable @inline(__always)
    package func place(hash: UInt32, where isMatch: (Int) -> Bool) -> Int? {
        withView { $0.place(hash: hash, where: isMatch) }
    }

    /// Passes the table to `body` as bare memory.
    @inlinable @inline(__always)
    func withView<Result>(_ body: (View) -> Result?) -> Result? {
        slots.withUnsafeBufferPointer { slots in
            slots.baseAddress.flatMap { body(View($0, count: slots.count)) }
        }
    }

    /// A copy in memory of its own, which the caller frees.
    package func makeCopy() -> View {
        let copy = UnsafeMutablePointer<Slot>.allocate(capacity: slots.count)
        _ = UnsafeMutableBufferPointer(start: copy, count: slots.count).initialize(from: slots)
        return View(copy, count: slots.count)
    }

    /// Enters `place`, which must not be in the table yet.
    package mutating func insert(_ place: Int, hash: UInt32) {
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
        var index = Int(truncatingIfNeeded: slot.hash) & mask
        while slots[index].place != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }
}
