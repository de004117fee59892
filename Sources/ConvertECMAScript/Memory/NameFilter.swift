/// A few names, and the question whether an object has a member with one of them, which most objects do not.
///
/// Most objects are answered for without comparing a name: for each name two bits are kept that its hash selects, and
/// few other names have both. Those that do are compared by their hashes, which costs little: as hashes differ from
/// process to process, each process has others.
///
/// Invariant: members are read where they lie only while the object lends them (W1).
package struct NameFilter: Sendable {
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64
    private let names: [PropertyKey]

    /// A filter for `names`.
    package init(_ names: [PropertyKey]) {
        first = names.reduce(0) { $0 | 1 &<< UInt64($1.hash) }
        second = names.reduce(0) { $0 | 1 &<< UInt64($1.hash &>> 6) }
        self.names = names
    }

    /// Whether `key` is one of the names.
    package func contains(_ key: PropertyKey) -> Bool { names.contains(key) }

    /// Whether `object` has a member with one of the names.
    @inlinable @inline(__always)
    package func matches(_ object: borrowing JSObject) -> Bool { mayMatch(object) && hasMatch(in: object) }

    /// Whether `object` may have a member with one of the names; if not, it has none.
    @inlinable @inline(__always)
    func mayMatch(_ object: borrowing JSObject) -> Bool {
        object.withMembers { members in
            guard var member = members.baseAddress else { return false }
            let end = member + members.count
            // Without a branch for each, and where the members lie, because a copy of one counts references (W1).
            var found: UInt64 = 0
            while member < end {
                found |= selection(member.pointee.key.hash)
                member += 1
            }
            return found & 1 != 0
        }
    }

    /// A number whose lowest bit tells whether a name with this hash may be one of the names.
    @inlinable @inline(__always)
    func selection(_ hash: UInt32) -> UInt64 { (first &>> UInt64(hash)) & (second &>> UInt64(hash &>> 6)) }

    // Apart, because it is rare and would slow the common answer down.
    @usableFromInline @inline(never)
    func hasMatch(in object: borrowing JSObject) -> Bool {
        object.withMembers { members in
            names.withUnsafeBufferPointer { names in
                members.indices.contains { index in
                    let hash = members[index].key.hash
                    guard selection(hash) & 1 != 0 else { return false }
                    return names.indices.contains { names[$0].hash == hash && names[$0] == members[index].key }
                }
            }
        }
    }
}
