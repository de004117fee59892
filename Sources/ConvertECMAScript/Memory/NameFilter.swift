/// A few names, and the question whether an object has a member with one of them, which most objects do not.
///
/// Most members are answered for by two bits that their names' hashes select, of which nearly no other name has both. A name
/// that has them is looked up, which costs little: as hashes differ from process to process, each process has others.
///
/// Invariant: members are read where they lie only while the object lends them (W1).
@usableFromInline
package struct NameFilter: Sendable {
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64
    private let names: [PropertyKey]

    /// A filter for `names`, which must differ.
    package init(_ names: [PropertyKey]) {
        first = names.reduce(0) { $0 | 1 &<< UInt64($1.hash) }
        second = names.reduce(0) { $0 | 1 &<< UInt64($1.hash &>> 6) }
        self.names = names
    }

    /// Whether `key` is one of the names.
    package func contains(_ key: PropertyKey) -> Bool { names.contains(key) }

    /// Whether `object` has a member with one of the names.
    @inlinable @inline(__always)
    package func matches(_ object: borrowing JSObject) -> Bool {
        object.withMembers { members in
            guard var member = members.baseAddress else { return false }
            let end = member + members.count
            // Where the members lie, because a copy of one counts references.
            while member < end {
                if mayContain(member.pointee.key.hash) { return containsAny(of: member..<end) }
                member += 1
            }
            return false
        }
    }

    /// Whether a name with this hash may be one of the names.
    @inlinable @inline(__always)
    func mayContain(_ hash: UInt32) -> Bool {
        // One after the other: nearly all names lack the first bit.
        first &>> UInt64(hash) & 1 != 0 && second &>> UInt64(hash &>> 6) & 1 != 0
    }

    // Apart, because it is rare and would slow the common answer down.
    @usableFromInline @inline(never)
    func containsAny(of members: Range<UnsafePointer<JSObject.Member>>) -> Bool {
        members.contains { member in
            mayContain(member.pointee.key.hash) && names.contains(member.pointee.key)
        }
    }
}
