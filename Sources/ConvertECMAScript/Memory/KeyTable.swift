/// Property names, each once, with a look-up that reads nothing but the index and the one name that it finds.
///
/// Workloads W1 and W7 pay for it: a dictionary would hash the names' hashes again.
@usableFromInline
package struct KeyTable: ~Copyable, Sendable {
    /// The names, in the order in which they were added.
    @usableFromInline package private(set) var keys = Rows<PropertyKey>()
    @usableFromInline var index = HashIndex()
    @usableFromInline let secrets = PropertyKey.secrets

    /// A table without names.
    package init() {}

    /// The place of `key`, or `nil` if it was not added.
    package func index(of key: PropertyKey) -> Int? { withUnsafePointer(to: key) { index(ofKeyAt: $0) } }

    /// The place of the name at `key`. By its address, because handing over a name counts a reference.
    package func index(ofKeyAt key: UnsafePointer<PropertyKey>) -> Int? {
        guard let name = key.pointer(to: \.name) else { return nil }
        return index.place(hash: key.pointee.hash) { place in
            self.name(at: place).map { String.haveSameCodeUnits(name, $0) } ?? false
        }
    }

    /// The place of `name`, or `nil` if it was not added.
    package func index(named name: String) -> Int? {
        index.place(hash: PropertyKey.hash(of: name)) { place in
            self.name(at: place).map { String.hasSameCodeUnits(name, $0) } ?? false
        }
    }

    /// The place of `name`, if it is found at the first look and in the same bits, as nearly every name is that is there
    /// (W1).
    @inlinable @inline(__always)
    package func indexAtFirstLook(named name: String) -> Int? {
        guard let place = index.firstPlace(hash: PropertyKey.hash(of: name, secrets)), let other = self.name(at: place),
            String.isRepresentedAlike(name, other)
        else { return nil }
        return place
    }

    @inlinable @inline(__always)
    func name(at place: Int) -> UnsafePointer<String>? { UnsafePointer(keys.start + place).pointer(to: \.name) }

    /// Adds `key`, which must be new, and returns its place.
    package mutating func append(_ key: PropertyKey) -> Int {
        index.insert(keys.count, hash: key.hash)
        keys.append(key)
        return keys.count - 1
    }
}
