internal import ConvertECMAScript

/// All entities by id, told apart as ``EntityID`` tells them apart.
struct EntityIDIndex {
    private var texts = KeyTable()
    /// For each text the first entity with it.
    private var first: [Int] = []
    /// For each text the last entity with it.
    private var last: [Int] = []
    /// For each entity the next one with its text; -1 if there is none.
    private var next: [Int] = []
    private let kinds: [EntityID.Kind]

    /// Indexes entities by their ids, in time linear to them.
    init(_ ids: some Collection<EntityID>) {
        kinds = ids.map(\.kind)
        next = Array(repeating: -1, count: kinds.count)
        for (index, id) in ids.enumerated() {
            if let place = texts.index(of: id.key) {
                next[last[place]] = index
                last[place] = index
            } else {
                _ = texts.append(id.key)
                first.append(index)
                last.append(index)
            }
        }
    }

    /// Whether no entity is indexed.
    var isEmpty: Bool { kinds.isEmpty }

    /// Appends the entities with the id `id` to `indices`, in order, `limit` of them at most, and says whether there are any.
    @discardableResult
    func append(_ id: EntityID, to indices: inout [Int], limit: Int = .max) -> Bool {
        guard let place = texts.index(of: id.key) else { return false }
        let count = indices.count
        var index = first[place]
        while index >= 0, indices.count - count < limit {
            if kinds[index] == id.kind { indices.append(index) }
            index = next[index]
        }
        return indices.count > count
    }
}
