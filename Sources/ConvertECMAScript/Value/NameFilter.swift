/// Tells of most objects that none of their members has one of a few names, without comparing a name.
///
/// For each name it keeps two bits that the name's hash selects. Few other names have both.
package struct NameFilter: Sendable {
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64

    /// A filter for `names`.
    package init(_ names: [PropertyKey]) {
        first = names.reduce(0) { $0 | 1 &<< UInt64($1.hash) }
        second = names.reduce(0) { $0 | 1 &<< UInt64($1.hash &>> 6) }
    }

    /// Whether `object` may have a member with one of the names; if not, it has none.
    @inlinable @inline(__always)
    package func mayBeAmong(_ object: borrowing JSObject) -> Bool {
        object.withMembers { members in
            guard var member = members.baseAddress else { return false }
            let end = member + members.count
            // Without a branch for each, and where the members lie, because a copy of one counts references (W1).
            var found: UInt64 = 0
            while member < end {
                let hash = UInt64(member.pointee.key.hash)
                found |= (first &>> hash) & (second &>> (hash &>> 6))
                member += 1
            }
            return found & 1 != 0
        }
    }
}
