/// Property names, each once, with a look-up that reads nothing but the table and the one name that it finds.
///
/// An open-addressing table, because a dictionary would hash the names' hashes again.
package struct KeyTable: Sendable {
    /// The names, in the order in which they were added.
    package private(set) var keys: [PropertyKey] = []

    /// Places in `keys` + 1; 0 is free. At most half full, so that probing always meets a free entry.
    private var table = [UInt32](repeating: 0, count: 16)

    /// A table without names.
    package init() {}

    /// The place of `key`, or `nil` if it was not added.
    package func index(of key: PropertyKey) -> Int? {
        withUnsafePointer(to: key) { index(ofKeyAt: $0) }
    }

    /// The place of the name at `key`. By its address, because handing over a name counts a reference, and a context asks
    /// for many names.
    package func index(ofKeyAt key: UnsafePointer<PropertyKey>) -> Int? {
        let hash = key.pointee.hash
        return keys.withUnsafeBufferPointer { keys in
            table.withUnsafeBufferPointer { table in
                let mask = table.count &- 1
                var entry = Int(hash) & mask
                while table[entry] != 0 {
                    let place = Int(table[entry]) &- 1
                    if keys[place].hash == hash, Self.haveSameName(keys.baseAddress.map { $0 + place }, key) {
                        return place
                    }
                    entry = (entry &+ 1) & mask
                }
                return nil
            }
        }
    }

    @inline(__always)
    private static func haveSameName(_ left: UnsafePointer<PropertyKey>?, _ right: UnsafePointer<PropertyKey>) -> Bool {
        guard let left, let leftName = left.pointer(to: \.name), let rightName = right.pointer(to: \.name) else {
            return false
        }
        return String.areRepresentedAlike(leftName, rightName)
            || left.pointee.name.hasSameCodeUnits(as: right.pointee.name)
    }

    /// Adds `key`, which must be new, and returns its place.
    package mutating func append(_ key: PropertyKey) -> Int {
        keys.append(key)
        if keys.count * 2 > table.count {
            table = [UInt32](repeating: 0, count: table.count * 2)
            for place in keys.indices { enter(place) }
        } else {
            enter(keys.count - 1)
        }
        return keys.count - 1
    }

    private mutating func enter(_ place: Int) {
        let mask = table.count - 1
        var entry = Int(keys[place].hash) & mask
        while table[entry] != 0 { entry = (entry + 1) & mask }
        table[entry] = UInt32(truncatingIfNeeded: place + 1)
    }
}
