/// The member order of objects whose members are not in JavaScript's order (OrdinaryOwnPropertyKeys, ECMA-262
/// §10.1.11), or have a repeated name.
///
/// Each object is processed once, at its end, so the time is linear to the document, except for sorting array indexes.
struct JSONMemberOrder: ~Copyable {
    /// The node numbers of the members of these objects, in JavaScript's order, object by object.
    private(set) var places = Rows<UInt32>()

    /// For each name the last object that has a member with it, and the place of that member in the object's order.
    private var latest: [(object: UInt32, place: UInt32)] = []

    /// Determines the order of the members of the object at `node`, which has just ended.
    @inline(never)
    mutating func arrange(_ node: Int, in nodes: inout Rows<JSONNode>, _ names: borrowing JSONNameTable) {
        let missing = names.entries.count - latest.count
        // No object has the number `.max`.
        if missing > 0 { latest += repeatElement((.max, 0), count: missing) }
        let object = UInt32(truncatingIfNeeded: node)
        var members: [UInt32] = []
        members.reserveCapacity(nodes[node].length)
        var child = node + 1
        for _ in 0..<nodes[node].length {
            let name = Int(nodes[child].name)
            if latest[name].object == object {
                // The last value counts, in the place of the first member.
                members[Int(latest[name].place)] = UInt32(truncatingIfNeeded: child)
            } else {
                latest[name] = (object, UInt32(truncatingIfNeeded: members.count))
                members.append(UInt32(truncatingIfNeeded: child))
            }
            child += nodes[child].span
        }
        let isShorter = members.count < nodes[node].length
        let isSorted = sort(&members, nodes, names)
        guard isShorter || isSorted else { return }
        nodes[node].reorder(start: places.count, length: members.count)
        for member in members { places.append(member) }
    }

    /// Moves array indexes before the other names, in ascending order, and returns whether the order changed.
    private func sort(
        _ members: inout [UInt32], _ nodes: borrowing Rows<JSONNode>, _ names: borrowing JSONNameTable
    ) -> Bool {
        func arrayIndex(_ member: UInt32) -> UInt32 { names.entries[Int(nodes[Int(member)].name)].arrayIndex }
        // Names that are not array indexes have the largest number, and the sort is stable.
        let isInOrder = zip(members, members.dropFirst()).allSatisfy { arrayIndex($0) <= arrayIndex($1) }
        if !isInOrder { members.sort { arrayIndex($0) < arrayIndex($1) } }
        return !isInOrder
    }
}
