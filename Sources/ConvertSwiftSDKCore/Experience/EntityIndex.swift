internal import ConvertECMAScript

/// First index by text, compared by code units.
struct EntityIndex: Sendable {
    private var keys = KeyTable()
    private var indexes: [Int] = []

    /// Adds an entity unless another one has its text, and returns the index of the first one that has it.
    @discardableResult
    mutating func insert(_ key: PropertyKey, at index: Int) -> Int {
        if let place = keys.index(of: key) { return indexes[place] }
        _ = keys.append(key)
        indexes.append(index)
        return index
    }

    subscript(key: PropertyKey) -> Int? { keys.index(of: key).map { indexes[$0] } }

    subscript(text: String) -> Int? { keys.index(named: text).map { indexes[$0] } }
}
