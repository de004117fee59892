/// A few property names, and the question whether an object has a member with one of them, which most objects do not.
package struct PropertyNames: Sendable {
    private let names: [PropertyKey]
    /// The bits that the lower and the upper part of the names' hashes select. Few other names select one of each, and are
    /// compared (W1).
    private let bits: (lower: UInt64, upper: UInt64)

    /// These names, which must differ.
    package init(_ names: [PropertyKey]) {
        self.names = names
        bits = names.reduce((0, 0)) { ($0.0 | 1 &<< UInt64($1.hash), $0.1 | 1 &<< UInt64($1.hash &>> 8)) }
    }

    /// Whether `key` is one of the names.
    package func contains(_ key: PropertyKey) -> Bool {
        mayContain(key.hash) && names.contains(key)
    }

    /// Whether `object` has a member with one of the names.
    package func matches(_ object: JSObject) -> Bool {
        // Only the hashes of nearly all members are read, since a copy of a key counts a reference.
        object.members.withUnsafeBufferPointer { members in
            var index = 0
            while index < members.count {
                let hash = members[index].key.hash
                if mayContain(hash), hasName(hashed: hash), names.contains(members[index].key) { return true }
                index += 1
            }
            return false
        }
    }

    private func hasName(hashed hash: UInt32) -> Bool { names.indices.contains { names[$0].hash == hash } }

    /// Whether a name with this hash may be one of the names.
    @inline(__always)
    private func mayContain(_ hash: UInt32) -> Bool {
        bits.lower &>> UInt64(hash) & bits.upper &>> UInt64(hash &>> 8) & 1 != 0
    }
}
