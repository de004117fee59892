/// A few property names, with a fast check whether an object has a member with one of them. Most objects do not.
package struct PropertyNames: Sendable {
    private let names: [PropertyKey]
    /// Bits selected by the lower and the upper part of the names' hashes. Few other names select a set bit in both, so
    /// few names are compared (W1).
    private let bits: (lower: UInt64, upper: UInt64)

    /// Creates the set of these names, which must be unique.
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
        // Compare the hashes first: copying every key is slow.
        let members = object.members.span
        for index in members.indices where mayContain(members[index].key.hash) {
            if hasName(ofMemberAt: index, of: object) { return true }
        }
        return false
    }

    // Keep it out of line: inlined, it slows down the loop over most objects (W1).
    @inline(never)
    private func hasName(ofMemberAt index: Int, of object: JSObject) -> Bool {
        names.contains(object.members[index].key)
    }

    /// Whether a name with this hash may be one of the names.
    @inline(__always)
    private func mayContain(_ hash: UInt32) -> Bool {
        bits.lower &>> UInt64(hash) & bits.upper &>> UInt64(hash &>> 8) & 1 != 0
    }
}
