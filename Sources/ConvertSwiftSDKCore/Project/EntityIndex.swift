internal import ConvertECMAScript

/// Maps each text to the index of the first entity with it. Texts are compared by code units.
struct EntityIndex: ~Copyable, Sendable {
    private var keys = KeyTable()
    /// For each text the index of the first entity with it. Empty as long as each entity's index equals the index of
    /// its text.
    private var indexes = Rows<Int32>()

    /// Adds an entity unless an earlier one has the same text, and returns the index of the first entity with the text.
    @discardableResult
    mutating func insert(_ key: PropertyKey, at index: Int) -> Int {
        if let place = keys.index(of: key) { return self.index(at: place) }
        let place = keys.append(key)
        if indexes.isEmpty, place != index {
            for place in 0..<place { indexes.append(Int32(truncatingIfNeeded: place)) }
        }
        if place != index || !indexes.isEmpty { indexes.append(Int32(truncatingIfNeeded: index)) }
        return index
    }

    subscript(key: PropertyKey) -> Int? { keys.index(of: key).map { index(at: $0) } }

    @inline(__always)
    subscript(text: String) -> Int? { keys.index(named: text).map { index(at: $0) } }

    @inline(__always)
    private func index(at place: Int) -> Int { indexes.isEmpty ? place : Int(indexes[place]) }
}
