internal import ConvertECMAScript

/// The attribute names that a config's rules read, each with its slot and the forms in which it is read.
///
/// A context resolves its attributes into slots once; a condition then indexes an array.
package struct AttributeTable: Sendable {
    /// Names as conditions have them, lowercased if case does not count.
    private var names = KeyTable()
    private(set) var needs: [AttributeNeeds] = []
    let isCaseSensitive: Bool

    init(isCaseSensitive: Bool) { self.isCaseSensitive = isCaseSensitive }

    /// How many attributes conditions read.
    var count: Int { needs.count }

    /// The slot of `name`, which is made if there is none.
    mutating func intern(_ name: String, needs: AttributeNeeds) -> Int {
        let key = canonical(PropertyKey(name))
        if let slot = names.index(of: key) {
            self.needs[slot].formUnion(needs)
            return slot
        }
        self.needs.append(needs)
        return names.append(key)
    }

    /// The slot in which the attribute whose name is at `key` is read, or `nil` if no condition reads it.
    @inline(__always)
    func slot(ofKeyAt key: UnsafePointer<PropertyKey>) -> Int? {
        isCaseSensitive ? names.index(ofKeyAt: key) : names.index(of: canonical(key.pointee))
    }

    private func canonical(_ key: PropertyKey) -> PropertyKey {
        isCaseSensitive ? key : PropertyKey(ECMAScript.toLowerCase(key.name))
    }
}
