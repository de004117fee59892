/// Property names, each once, with a look-up that reads nothing but the table and the one name that it finds.
///
/// Workloads W1 and W7 pay for it: a dictionary would hash the names' hashes again.
@usableFromInline
package struct KeyTable: Sendable {
    /// The names, in the order in which they were added.
    package private(set) var keys: [PropertyKey] = []

    fileprivate var table = ProbeTable()

    /// A table without names.
    package init() {}

    /// The place of `key`, or `nil` if it was not added.
    package func index(of key: PropertyKey) -> Int? {
        withUnsafePointer(to: key) { key in withView { $0.index(ofKeyAt: key) } }
    }

    /// The place of `name`, or `nil` if it was not added.
    package func index(named name: String) -> Int? { withView { $0.index(named: name) } }

    /// A table as bare memory, which counts no references when it is handed over.
    ///
    /// Unchecked because it points to memory, which nobody writes. Invariant: it is used only while the table that lends it
    /// or the ``FrozenKeyTable`` that owns it lives.
    @usableFromInline
    package struct View: @unchecked Sendable {
        @usableFromInline let table: ProbeTable.View
        /// The names, by their places.
        @usableFromInline package let keys: UnsafePointer<PropertyKey>

        fileprivate init(_ table: ProbeTable.View, _ keys: UnsafePointer<PropertyKey>) {
            self.table = table
            self.keys = keys
        }

        /// The place of the name at `key`. By its address, because handing over a name counts a reference.
        package func index(ofKeyAt key: UnsafePointer<PropertyKey>) -> Int? {
            table.place(hash: key.pointee.hash) { key.pointee.name.hasSameCodeUnits(as: keys[$0].name) }
        }

        /// The place of `name`.
        package func index(named name: String) -> Int? {
            table.place(hash: PropertyKey.hash(of: name)) { place in
                name.hasSameCodeUnits(as: keys[place].name)
            }
        }
    }

    /// Passes the table to `body`; `nil` as long as it has no name.
    @inline(__always)
    private func withView<Result>(_ body: (View) -> Result?) -> Result? {
        keys.withUnsafeBufferPointer { keys in
            guard let names = keys.baseAddress, !keys.isEmpty else { return nil }
            return table.withView { body(View($0, names)) }
        }
    }

    /// Adds `key`, which must be new, and returns its place.
    package mutating func append(_ key: PropertyKey) -> Int {
        table.insert(keys.count, hash: key.hash)
        keys.append(key)
        return keys.count - 1
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
        let keys = UnsafeMutablePointer<PropertyKey>.allocate(capacity: max(1, count))
        _ = UnsafeMutableBufferPointer(start: keys, count: count).initialize(from: table.keys)
        view = KeyTable.View(table.table.makeCopy(), keys)
    }

    deinit {
        view.table.deallocate()
        UnsafeMutablePointer(mutating: view.keys).deinitialize(count: count)
        view.keys.deallocate()
    }
}
