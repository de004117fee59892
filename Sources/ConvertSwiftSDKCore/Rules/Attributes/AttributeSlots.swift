internal import ConvertECMAScript

/// The attribute names that a config's rules read, each with its slot and the forms that conditions read.
///
/// An attribute is resolved into its slot when a condition first reads it; conditions then index an array.
struct AttributeSlots: ~Copyable, Sendable {
    /// The slot of conditions without an attribute name. Its attribute is always absent.
    static let nameless = 0

    /// The names in conditions, lowercased if names are not case-sensitive. The first name has slot 1.
    private var names = KeyTable()
    private(set) var needs: [AttributeForms] = [[]]
    let isCaseSensitive: Bool

    init(isCaseSensitive: Bool) { self.isCaseSensitive = isCaseSensitive }

    var count: Int { needs.count }

    /// Returns the slot of `name`, and adds it if necessary.
    mutating func intern(_ name: PropertyKey?) -> Int {
        guard let name else { return Self.nameless }
        let key = isCaseSensitive ? name : name.lowercase
        if let place = names.index(of: key) { return place + 1 }
        needs.append([])
        return names.append(key) + 1
    }

    /// Adds forms in which the attribute in `slot` must be prepared.
    mutating func add(_ needs: AttributeForms, to slot: Int) { self.needs[slot].formUnion(needs) }

    /// The slot of the attribute `key` if names are not case-sensitive, or `nil` if no condition reads it.
    func slot(ofAnyCase key: PropertyKey) -> Int? { names.index(of: key.lowercase).map { $0 + 1 } }

    /// The attribute name of `slot`, which must be a slot of the table other than the nameless one.
    func key(at slot: Int) -> PropertyKey { names.keys[slot - 1] }

    /// The rows that describe each slot. The names are appended to `bytes`.
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

/// The name of the attribute in one slot, and the forms of it that conditions read.
struct SlotRow: Sendable, BitwiseCopyable {
    /// Range of the attribute's name in the bytes of all names.
    var name = TableRange()
    var hash: UInt32 = 0
    let needs: AttributeForms
}
