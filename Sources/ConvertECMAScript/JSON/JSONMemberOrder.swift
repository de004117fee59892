/// The order of members in objects whose members do not stand in JavaScript's order (OrdinaryOwnPropertyKeys, ECMA-262
/// §10.1.11), or of which two have one name.
///
/// Each object is looked at once, when it ends, so the time is linear to the document but for the sorting of array indexes.
struct JSONMemberOrder: ~Copyable {
    /// The numbers of the nodes of all such objects' members, in order, object by object.
    private(set) var places = Rows<UInt32>()

    /// For each name the object in which it was met last, and where among the members.
    private var latest: [(object: UInt32, place: UInt32)] = []

    /// Finds the order of the members of the object at `node`, which just ended.
    @inline(never)
    mutating func arrange(_ node: Int, in nodes: inout Rows<JSONNode>, _ names: borrowing JSONNameTable) {
        let missing = names.entries.count - latest.count
        // A place that no object has: the number of an object is never that of a node after it.
        if missing > 0 { latest += repeatElement((.max, 0), count: missing) }
        let object = UInt32(truncatingIfNeeded: node)
        var members: [UInt32] = []
        members.reserveCapacity(nodes[node].length)
        var child = node + 1
        for _ in 0..<nodes[node].length {
            let name = Int(nodes[child].name)
            if latest[name].object == object {
                // The last value counts, at the first one's place.
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

    /// Puts array indexes before the other names, in ascending order, and returns whether that changes anything.
    private func sort(
        _ members: inout [UInt32], _ nodes: borrowing Rows<JSONNode>, _ names: borrowing JSONNameTable
    ) -> Bool {
        func arrayIndex(_ member: UInt32) -> UInt32 { names.entries[Int(nodes[Int(member)].name)].arrayIndex }
        // What is no array index has the largest number of all, and the sorting keeps the order of equals.
        let isInOrder = zip(members, members.dropFirst()).allSatisfy { arrayIndex($0) <= arrayIndex($1) }
        if !isInOrder { members.sort { arrayIndex($0) < arrayIndex($1) } }
        return !isInOrder
    }
}
