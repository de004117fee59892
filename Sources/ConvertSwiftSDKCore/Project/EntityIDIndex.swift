/// Indexes entities by id. Two ids are the same if they are equal as ``EntityID``.
struct EntityIDIndex {
    /// For each id the indices of its entities, in order.
    private var places: [EntityID: [Int32]] = [:]

    /// Indexes entities by their ids, in time linear to their number.
    init(_ ids: some Sequence<EntityID>) {
        for (index, id) in ids.enumerated() { places[id, default: []].append(Int32(truncatingIfNeeded: index)) }
    }

    /// Appends the indices of the entities with `id` to `indices`, in order, and returns whether there are any. Takes
    /// time linear to the number of entities appended.
    ///
    /// - Parameter room: how many more indices may be appended. The function subtracts the number of appended indices.
    ///   The result is negative if there were too many. With a negative value, nothing is appended.
    func append(_ id: EntityID, to indices: inout [Int32], room: inout Int) -> Bool {
        guard room >= 0, let found = places[id]?.prefix(room + 1) else { return false }
        indices += found
        room -= found.count
        return true
    }
}
