internal import ConvertECMAScript

/// Indexes entities by id. Two ids are the same if they are equal as ``EntityID``.
struct EntityIDIndex: ~Copyable {
    private var texts = KeyTable()
    /// For each text and kind of id the first entity with that id; -1 if there is no such entity.
    private var first: [Int32] = []
    /// For each text and kind of id the last entity.
    private var last: [Int32] = []
    /// For each entity the next entity with the same id; -1 if there is no such entity.
    private var next: [Int32]

    /// Indexes entities by their ids, in time linear to their number.
    init(_ ids: some Collection<EntityID>) {
        next = Array(repeating: -1, count: ids.count)
        for (index, id) in ids.enumerated() {
            let place = Self.place(of: id, text: texts.index(of: id.key) ?? append(id.key))
            let index = Int32(truncatingIfNeeded: index)
            if last[place] >= 0 { next[Int(last[place])] = index } else { first[place] = index }
            last[place] = index
        }
    }

    private mutating func append(_ text: PropertyKey) -> Int {
        let none = repeatElement(-1 as Int32, count: EntityID.Kind.allCases.count)
        first += none
        last += none
        return texts.append(text)
    }

    private static func place(of id: EntityID, text: Int) -> Int {
        text * EntityID.Kind.allCases.count + Int(id.kind.rawValue)
    }

    /// Whether no entity is indexed.
    var isEmpty: Bool { next.isEmpty }

    /// Appends the indices of the entities with `id` to `indices`, in order, and returns whether there are any. Takes
    /// time linear to the number of entities appended.
    ///
    /// - Parameter room: how many more indices may be appended. The function subtracts the number of appended indices.
    ///   The result is negative if there were too many. With a negative value, nothing is appended.
    func append(_ id: EntityID, to indices: inout [Int32], room: inout Int) -> Bool {
        guard room >= 0, !isEmpty, let text = texts.index(of: id.key) else { return false }
        var index = first[Self.place(of: id, text: text)]
        if index < 0 { return false }
        while index >= 0, room >= 0 {
            indices.append(index)
            room -= 1
            index = next[Int(index)]
        }
        return true
    }
}
