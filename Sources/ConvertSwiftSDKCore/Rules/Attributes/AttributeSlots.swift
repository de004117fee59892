internal import ConvertECMAScript

/// The attribute names that a config's rules read, each with its slot and the forms in which it is read.
///
/// An attribute is resolved into its slot when a condition first reads it; conditions then index an array.
struct AttributeSlots: ~Copyable, Sendable {
    /// The slot of conditions that name no attribute: it is always absent.
    static let nameless = 0

    /// Names as conditions have them, lowercased if case does not count. The first one has the slot 1.
    private var names = KeyTable()
    private(set) var needs: [AttributeForms] = [[]]
    let isCaseSensitive: Bool

    init(isCaseSensitive: Bool) { self.isCaseSensitive = isCaseSensitive }

    /// How many slots there are.
    var count: Int { needs.count }

    /// The slot of `name`, which is made if there is none.
    mutating func intern(_ name: PropertyKey?) -> Int {
        name.map { slot(of: canonical($0)) } ?? Self.nameless
    }

    /// Has the attribute in `slot` prepared in more forms.
    mutating func add(_ needs: AttributeForms, to slot: Int) { self.needs[slot].formUnion(needs) }

    /// The slot in which the attribute named `key` is read if case does not count, or `nil` if no condition reads it.
    func slot(ofAnyCase key: PropertyKey) -> Int? { names.index(of: key.lowercase).map { $0 + 1 } }

    /// The name that is read from `slot`, one of the table's but the nameless one.
    func key(at slot: Int) -> PropertyKey { names.keys[slot - 1] }

    private mutating func slot(of key: PropertyKey) -> Int {
        if let place = names.index(of: key) { return place + 1 }
        needs.append([])
        return names.append(key) + 1
    }

    private func canonical(_ key: PropertyKey) -> PropertyKey { isCaseSensitive ? key : key.lowercase }

    /// What conditions read of each slot. The names are appended to `bytes`.
    func rows(namedIn bytes: inout [UInt8]) -> [SlotRow] {
        needs.indices.map { slot in
            if slot == Self.nameless { return SlotRow(needs: needs[slot]) }
            let (start, name) = (bytes.count, key(at: slot))
            bytes += name.name.utf8
            return SlotRow(
                name: TableRange(start: start, count: bytes.count - start), hash: name.hash, needs: needs[slot])
        }
    }
}
