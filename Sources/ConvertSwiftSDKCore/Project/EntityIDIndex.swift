internal import ConvertECMAScript

/// All entities by id, told apart as ``EntityID`` tells them apart.
struct EntityIDIndex: ~Copyable {
    private var texts = KeyTable()
    /// For each text and each kind of id the first entity with them; -1 if there is none.
    private var first: [Int32] = []
    /// The last one.
    private var last: [Int32] = []
    /// For each entity the next one with its id; -1 if there is none.
    private var next: [Int32]

    /// Indexes entities by their ids, in time linear to them.
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

    /// Appends the entities with the id `id` to `indices`, in order, and says whether there are any. It takes time linear to
    /// what it appends.
    ///
    /// - Parameter room: how many more may be appended; what is appended is taken off, and it is negative once there was
    ///   more. Nothing is appended then.
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
