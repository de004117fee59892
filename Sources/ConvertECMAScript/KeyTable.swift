/// Property names, each once, with a look-up that reads nothing but the table and the one name that it finds.
///
/// An open-addressing table, because a dictionary would hash the names' hashes again.
package struct KeyTable: Sendable {
    /// A place in the table. It has the hash too, so that a name that is not there is told by it.
    struct Entry {
        var hash: UInt32 = 0
        /// Place in `keys` + 1; 0 is free.
        var place: UInt32 = 0
    }

    /// The names, in the order in which they were added.
    package private(set) var keys: [PropertyKey] = []

    /// At most half full, so that probing always meets a free entry.
    fileprivate var table = [Entry](repeating: Entry(), count: 16)

    /// A table without names.
    package init() {}

    /// The place of `key`, or `nil` if it was not added.
    package func index(of key: PropertyKey) -> Int? {
        withUnsafePointer(to: key) { key in lend { $0.index(ofKeyAt: key) } }
    }

    /// The place of `name`, or `nil` if it was not added.
    package func index(named name: String) -> Int? {
        withUnsafePointer(to: name) { name in
            lend { $0.index(ofNameAt: name, hash: PropertyKey.hash(of: name.pointee)) }
        }
    }

    /// A table as bare memory. Handing over a table counts references, at which threads that share it wait for each other;
    /// handing over this counts none.
    ///
    /// Unchecked because it points to memory, which nobody writes. Invariant: it is used only while the table that lends it
    /// or the ``FrozenKeyTable`` that owns it lives.
    package struct View: @unchecked Sendable {
        fileprivate let table: UnsafePointer<Entry>
        fileprivate let mask: Int
        fileprivate let keys: UnsafePointer<PropertyKey>

        /// The place of the name at `key`. By its address, because handing over a name counts a reference.
        package func index(ofKeyAt key: UnsafePointer<PropertyKey>) -> Int? {
            key.pointer(to: \.name).flatMap { index(ofNameAt: $0, hash: key.pointee.hash) }
        }

        /// Where the name at `place`, one of the table's, lies.
        package func key(at place: Int) -> UnsafePointer<PropertyKey> { keys + place }

        /// The place of `name`.
        package func index(named name: String) -> Int? {
            withUnsafePointer(to: name) { index(ofNameAt: $0, hash: PropertyKey.hash(of: name)) }
        }

        @inline(__always)
        fileprivate func index(ofNameAt name: UnsafePointer<String>, hash: UInt32) -> Int? {
            var index = Int(hash) & mask
            while table[index].place != 0 {
                if table[index].hash == hash {
                    let place = Int(table[index].place) &- 1
                    if hasName(at: place, like: name) { return place }
                }
                index = (index &+ 1) & mask
            }
            return nil
        }

        @inline(__always)
        private func hasName(at place: Int, like other: UnsafePointer<String>) -> Bool {
            guard let name = (keys + place).pointer(to: \.name) else { return false }
            return String.haveSameCodeUnits(name, other)
        }
    }

    /// Lends the table; `nil` as long as it has no name.
    @inline(__always)
    private func lend<Result>(_ body: (View) -> Result?) -> Result? {
        table.withUnsafeBufferPointer { table in
            keys.withUnsafeBufferPointer { keys in
                guard let entries = table.baseAddress, let names = keys.baseAddress, !keys.isEmpty else { return nil }
                return body(View(table: entries, mask: table.count &- 1, keys: names))
            }
        }
    }

    /// Adds `key`, which must be new, and returns its place.
    package mutating func append(_ key: PropertyKey) -> Int {
        keys.append(key)
        if keys.count * 2 > table.count {
            table = [Entry](repeating: Entry(), count: table.count * 2)
            for place in keys.indices { enter(place) }
        } else {
            enter(keys.count - 1)
        }
        return keys.count - 1
    }

    private mutating func enter(_ place: Int) {
        let mask = table.count - 1
        var index = Int(keys[place].hash) & mask
        while table[index].place != 0 { index = (index + 1) & mask }
        table[index] = Entry(hash: keys[place].hash, place: UInt32(truncatingIfNeeded: place + 1))
    }
}

/// A ``KeyTable`` that does not change any more, in memory of its own.
package final class FrozenKeyTable: Sendable {
    /// The table, to be used only while this object lives.
    package let view: KeyTable.View
    private let count: Int

    /// A copy of `table`.
    package init(_ table: KeyTable) {
        count = table.keys.count
        let entries = UnsafeMutablePointer<KeyTable.Entry>.allocate(capacity: table.table.count)
        _ = UnsafeMutableBufferPointer(start: entries, count: table.table.count).initialize(from: table.table)
        let keys = UnsafeMutablePointer<PropertyKey>.allocate(capacity: max(1, count))
        _ = UnsafeMutableBufferPointer(start: keys, count: count).initialize(from: table.keys)
        view = KeyTable.View(table: entries, mask: table.table.count - 1, keys: keys)
    }

    deinit {
        view.table.deallocate()
        UnsafeMutablePointer(mutating: view.keys).deinitialize(count: count)
        view.keys.deallocate()
    }
}
