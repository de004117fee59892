internal import ConvertECMAScript

/// First index by text, compared by code units.
struct EntityIndex: Sendable {
    private var keys = KeyTable()
    private var indexes: [Int] = []

    /// Adds an entity and says whether its text is new.
    mutating func insert(_ key: PropertyKey, at index: Int) -> Bool {
        if keys.index(of: key) != nil { return false }
        _ = keys.append(key)
        indexes.append(index)
        return true
    }

    subscript(key: PropertyKey) -> Int? { keys.index(of: key).map { indexes[$0] } }

    subscript(text: String) -> Int? { keys.index(named: text).map { indexes[$0] } }
}
