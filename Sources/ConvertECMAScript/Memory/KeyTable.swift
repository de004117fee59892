/// Unique property names. A look-up reads only the index and the one name that it finds.
// Keep the table: a dictionary hashes the names' hashes again, which is slower (W1, W7).
@usableFromInline
package struct KeyTable: ~Copyable, Sendable {
    /// The names, in the order in which they were added.
    package private(set) var keys = Rows<PropertyKey>()
    private var index = HashIndex()

    /// Creates an empty table.
    package init() {}

    /// The place of `key`, or `nil` if it was not added.
    package func index(of key: PropertyKey) -> Int? {
        index.place(hash: key.hash) { keys[$0].name.hasSameCodeUnits(as: key.name) }
    }

    /// The place of `name`, or `nil` if it was not added.
    package func index(named name: String) -> Int? {
        name.withUTF8Bytes { bytes in
            index.place(hash: PropertyKey.hash(bytes)) { place in
                keys[place].name.withUTF8Bytes { $0 == bytes }
            }
        }
    }

    /// Adds `key`, which must be new, and returns its place.
    package mutating func append(_ key: PropertyKey) -> Int {
        index.insert(keys.count, hash: key.hash)
        keys.append(key)
        return keys.count - 1
    }
}
