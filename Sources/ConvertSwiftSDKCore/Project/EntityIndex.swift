internal import ConvertECMAScript

/// Maps each text to the index of the first entity with it. Texts are compared by code units.
struct EntityIndex: ~Copyable, Sendable {
    private var keys = KeyTable()
    /// For each text the index of the first entity with it.
    private var indexes = Rows<Int32>()

    /// Adds an entity unless an earlier one has the same text, and returns the index of the first entity with the text.
    @discardableResult
    mutating func insert(_ key: PropertyKey, at index: Int) -> Int {
        if let known = self[key] { return known }
        _ = keys.append(key)
        indexes.append(Int32(truncatingIfNeeded: index))
        return index
    }

    subscript(key: PropertyKey) -> Int? { keys.index(of: key).map { Int(indexes[$0]) } }

    @inline(__always)
    subscript(text: String) -> Int? { keys.index(named: text).map { Int(indexes[$0]) } }
}
