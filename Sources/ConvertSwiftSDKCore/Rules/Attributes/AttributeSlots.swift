internal import ConvertECMAScript

/// The attribute names that a config's rules read, each with its slot and the forms in which it is read.
///
/// An attribute is resolved into its slot when a condition first reads it; conditions then index rows.
package struct AttributeSlots: Sendable {
    /// The slot of conditions that name no attribute: it is always absent.
    static let nameless = 0

    let isCaseSensitive: Bool
    private(set) var needs: [AttributeForms] = [[]]
    /// Names as conditions have them, lowercased if case does not count. The first one has the slot 1.
    private var names: [PropertyKey] = []
    private var slots: [PropertyKey: Int] = [:]

    init(isCaseSensitive: Bool) { self.isCaseSensitive = isCaseSensitive }

    /// How many slots there are.
    var count: Int { needs.count }

    /// How many slots have rules for which texts are copied.
    private(set) var copiedCount = 0

    /// The slot of `name`, which is made if there is none.
    mutating func intern(_ name: PropertyKey?) -> Int {
        guard let name = name.map(canonical) else { return Self.nameless }
        if let slot = slots[name] { return slot }
        slots[name] = count
        names.append(name)
        needs.append([])
        return count - 1
    }

    /// Has the attribute in `slot` prepared in more forms.
    mutating func add(_ needs: AttributeForms, to slot: Int) {
        let wasCopied = !self.needs[slot].isSubset(of: .numbers)
        self.needs[slot].formUnion(needs)
        if !wasCopied, !self.needs[slot].isSubset(of: .numbers) { copiedCount += 1 }
    }

    /// The slot in which the attribute named `key` is read, or `nil` if no condition reads it.
    func slot(of key: PropertyKey) -> Int? { slots[canonical(key)] }

    /// The name that is read from `slot`; `nil` for the nameless one.
    func name(in slot: Int) -> PropertyKey? { slot == Self.nameless ? nil : names[slot - 1] }

    /// What conditions read of each slot. The names are appended to `bytes`.
    func rows(namedIn bytes: inout [UInt8]) -> [SlotRow] {
        needs.indices.map { slot in
            guard let name = name(in: slot) else { return SlotRow(needs: needs[slot]) }
            let start = bytes.count
            bytes += name.name.utf8
            return SlotRow(
                name: TableRange(start: start, count: bytes.count - start), hash: name.hash, needs: needs[slot])
        }
    }

    private func canonical(_ key: PropertyKey) -> PropertyKey { isCaseSensitive ? key : key.lowercase }
}
