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
        selectedBit(of: key.hash) & 1 != 0 && names.contains(key)
    }

    /// Whether `object` has a member with one of the names.
    package func matches(_ object: JSObject) -> Bool {
        // Only the hashes of most objects' members are read, since a copy of a key counts a reference.
        let mayMatch = object.members.withUnsafeBufferPointer { members in
            var selected: UInt64 = 0
            for index in members.indices { selected |= selectedBit(of: members[index].key.hash) }
            return selected & 1 != 0
        }
        return mayMatch && hasAny(of: object.members)
    }

    @inline(never)
    private func hasAny(of members: [JSObject.Member]) -> Bool { members.contains { contains($0.key) } }

    /// In the lowest bit whether a name with this hash may be one of the names. The others mean nothing.
    @inline(__always)
    private func selectedBit(of hash: UInt32) -> UInt64 {
        bits.lower &>> UInt64(hash) & bits.upper &>> UInt64(hash &>> 8)
    }
}
