internal import ConvertECMAScript

/// The comparisons that hold if a slot's value equals an operand, by slot and operand: a value is looked up once, and
/// answers all of them.
struct MobileEqualities {
    /// One slot and operand.
    fileprivate struct Entry: Sendable, BitwiseCopyable {
        let slot: Int32
        let operand: MobileOperandRow
        /// The first of its comparisons.
        var first: Int32
    }

    /// A comparison, and the next one of the same entry.
    fileprivate struct Link: Sendable, BitwiseCopyable {
        let comparison: Int32
        let next: Int32
    }

    private var entries: [Entry] = []
    private var links: [Link] = []
    private var table = ProbeTable()
    /// How many operands each slot has.
    private(set) var variety: [Int] = []

    mutating func insert(_ comparison: Int, in slot: Int, equalTo operand: MobileOperandRow) {
        while variety.count <= slot { variety.append(0) }
        let hash = operand.hash(in: slot)
        let known = table.place(hash: hash) { entries[$0].slot == slot && entries[$0].operand == operand }
        let place = known ?? entries.count
        if known == nil {
            table.insert(place, hash: hash)
            entries.append(Entry(slot: Int32(truncatingIfNeeded: slot), operand: operand, first: -1))
            variety[slot] += 1
        }
        links.append(Link(comparison: Int32(truncatingIfNeeded: comparison), next: entries[place].first))
        entries[place].first = Int32(truncatingIfNeeded: links.count - 1)
    }

    func frozen() -> Frozen {
        Frozen(entries: FrozenTable(entries), links: FrozenTable(links), table: table.makeCopy())
    }

    /// Equalities that do not change any more. Invariant: as that of ``FrozenTable``.
    struct Frozen: Sendable {
        fileprivate let entries: FrozenTable<Entry>
        fileprivate let links: FrozenTable<Link>
        fileprivate let table: ProbeTable.View

        func deallocate() {
            entries.deallocate()
            links.deallocate()
            table.deallocate()
        }

        /// Appends to `found` the comparisons of `slot` that hold for what equals `operand`.
        func find(_ operand: MobileOperandRow, in slot: Int, into found: inout [Int32]) {
            let place = table.place(hash: operand.hash(in: slot)) {
                entries[$0].slot == slot && entries[$0].operand == operand
            }
            guard let place else { return }
            var next = Int(entries[place].first)
            while next >= 0 {
                found.append(links[next].comparison)
                next = Int(links[next].next)
            }
        }
    }
}

extension MobileOperandRow {
    /// A hash of the operand as one of `slot`.
    func hash(in slot: Int) -> UInt32 {
        withUnsafeBytes(of: self) { PropertyKey.hash($0.bindMemory(to: UInt8.self)) }
            ^ UInt32(truncatingIfNeeded: slot) &* 0x9E37_79B1
    }
}
