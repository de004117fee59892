internal import ConvertECMAScript

/// The attribute names that a config's rules read, each with its slot and the forms in which it is read.
///
/// An attribute is resolved into its slot when a condition first reads it; conditions then index an array.
package struct AttributeSlots: Sendable {
    /// The slot of conditions that name no attribute: it is always absent.
    static let nameless = 0

    /// Names as conditions have them, lowercased if case does not count. The first one has the slot 1.
    fileprivate var names = KeyTable()
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

    private mutating func slot(of key: PropertyKey) -> Int {
        if let place = names.index(of: key) { return place + 1 }
        needs.append([])
        return names.append(key) + 1
    }

    private func canonical(_ key: PropertyKey) -> PropertyKey { isCaseSensitive ? key : key.lowercase }
}

/// An ``AttributeSlots`` that does not change any more, in memory of its own.
final class FrozenAttributeSlots: Sendable {
    // Contexts read it all the time, and with arrays would count references at which threads wait for each other.

    /// The table as bare memory. Invariant: it is used only while its owner lives.
    struct View: @unchecked Sendable {
        private let names: KeyTable.View
        /// Where the first name is.
        private let keys: UnsafePointer<PropertyKey>
        let isCaseSensitive: Bool
        let count: Int
        /// How many slots have rules for which texts are copied.
        let copiedCount: Int

        fileprivate init(_ table: AttributeSlots, names: KeyTable.View) {
            self.names = names
            keys = names.keys
            isCaseSensitive = table.isCaseSensitive
            count = table.count
            copiedCount = table.needs.count { !$0.isSubset(of: .numbers) }
        }

        /// The slot in which the attribute named `key` is read if case does not count, or `nil` if no condition reads it.
        func slot(of key: PropertyKey) -> Int? {
            withUnsafePointer(to: key.lowercase) { names.index(ofKeyAt: $0) }.map { $0 + 1 }
        }

        /// Where the name is that is read from `slot`, one of the table's but the nameless one.
        @inline(__always)
        func key(at slot: Int) -> UnsafePointer<PropertyKey> { keys + (slot &- 1) }
    }

    let view: View
    private let names: FrozenKeyTable

    init(_ table: AttributeSlots) {
        names = FrozenKeyTable(table.names)
        view = View(table, names: names.view)
    }
}
