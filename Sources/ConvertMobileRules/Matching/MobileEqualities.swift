internal import ConvertECMAScript

/// Comparisons that hold if a slot's value equals an operand, indexed by slot and operand. A single look-up of a value
/// answers all of them.
struct MobileEqualities: ~Copyable, Sendable {
    /// One slot and operand.
    // Keep it internal: Swift 6.3.1 does not compile `Rows` of a private type in a noncopyable struct.
    struct Entry: Sendable, BitwiseCopyable {
        let slot: Int32
        let operand: MobileOperandRow
        /// The first comparison of the entry.
        var first: Int32
    }

    /// A comparison, and the next comparison of the same entry.
    // Keep it internal, like `Entry`.
    struct Link: Sendable, BitwiseCopyable {
        let comparison: Int32
        let next: Int32
    }

    private var entries = Rows<Entry>()
    private var links = Rows<Link>()
    private var index = HashIndex()

    /// Adds a comparison. Returns whether it is the first comparison of its slot with this operand.
    mutating func insert(_ comparison: Int, in slot: Int, equalTo operand: MobileOperandRow) -> Bool {
        let hash = operand.hash(in: slot)
        let known = place(of: operand, in: slot, hash: hash)
        let place = known ?? entries.count
        if known == nil {
            index.insert(place, hash: hash)
            entries.append(Entry(slot: Int32(truncatingIfNeeded: slot), operand: operand, first: -1))
        }
        links.append(Link(comparison: Int32(truncatingIfNeeded: comparison), next: entries[place].first))
        entries[place].first = Int32(truncatingIfNeeded: links.count - 1)
        return known == nil
    }

    /// Appends the comparisons of `slot` whose operand equals `operand` to `found`.
    func find(_ operand: MobileOperandRow, in slot: Int, into found: inout [Int32]) {
        guard let place = place(of: operand, in: slot, hash: operand.hash(in: slot)) else { return }
        var next = Int(entries[place].first)
        while next >= 0 {
            found.append(links[next].comparison)
            next = Int(links[next].next)
        }
    }

    @inline(__always)
    private func place(of operand: MobileOperandRow, in slot: Int, hash: UInt32) -> Int? {
        index.place(hash: hash) { entries[$0].slot == slot && entries[$0].operand == operand }
    }
}

extension MobileOperandRow {
    /// A hash of the operand together with `slot`.
    fileprivate func hash(in slot: Int) -> UInt32 {
        PropertyKey.hash(bytesOf: self) ^ UInt32(truncatingIfNeeded: slot) &* 0x9E37_79B1
    }
}
