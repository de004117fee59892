internal import ConvertECMAScript

/// The attribute names that a config's rules read, each with its slot and the forms in which it is read.
///
/// A context resolves its attributes into slots once; a condition then indexes an array.
package struct AttributeTable: Sendable {
    /// Names as conditions have them, lowercased if case does not count.
    private(set) var names: [PropertyKey] = []
    private(set) var needs: [AttributeNeeds] = []
    let isCaseSensitive: Bool

    /// Open addressing over `names`, as slot + 1.
    private var table = [UInt32](repeating: 0, count: 16)

    init(isCaseSensitive: Bool) { self.isCaseSensitive = isCaseSensitive }

    /// The slot of `name`, which is made if there is none.
    mutating func intern(_ name: String, needs: AttributeNeeds) -> Int {
        let key = canonical(PropertyKey(name))
        if let slot = slot(ofCanonical: key) {
            self.needs[slot].formUnion(needs)
            return slot
        }
        names.append(key)
        self.needs.append(needs)
        if names.count * 2 > table.count {
            table = [UInt32](repeating: 0, count: table.count * 2)
            for slot in names.indices { insert(slot) }
        } else {
            insert(names.count - 1)
        }
        return names.count - 1
    }

    /// The slot in which the attribute `key` is read, or `nil` if no condition reads it.
    @inline(__always)
    func slot(of key: PropertyKey) -> Int? { slot(ofCanonical: isCaseSensitive ? key : canonical(key)) }

    private func canonical(_ key: PropertyKey) -> PropertyKey {
        isCaseSensitive ? key : PropertyKey(ECMAScript.toLowerCase(key.name))
    }

    @inline(__always)
    private func slot(ofCanonical key: PropertyKey) -> Int? {
        let mask = table.count &- 1
        var index = Int(key.hash) & mask
        while true {
            let entry = Int(table[index])
            if entry == 0 { return nil }
            if names[entry &- 1].hash == key.hash, names[entry &- 1] == key { return entry &- 1 }
            index = (index &+ 1) & mask
        }
    }

    private mutating func insert(_ slot: Int) {
        let mask = table.count - 1
        var index = Int(names[slot].hash) & mask
        while table[index] != 0 { index = (index + 1) & mask }
        table[index] = UInt32(truncatingIfNeeded: slot + 1)
    }
}
