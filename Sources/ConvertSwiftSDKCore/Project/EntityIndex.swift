internal import ConvertECMAScript

/// First index by text, compared by code units.
struct EntityIndex: Sendable {
    private var keys = KeyTable()
    /// For each text the first entity with it; empty as long as that is the text's own place.
    private var indexes: [Int32] = []

    /// Adds an entity unless another one has its text, and returns the index of the first one that has it.
    @discardableResult
    mutating func insert(_ key: PropertyKey, at index: Int) -> Int {
        if let place = keys.index(of: key) { return self.index(at: place) }
        let place = keys.append(key)
        if indexes.isEmpty, place != index { indexes = (0..<place).map { Int32(truncatingIfNeeded: $0) } }
        if place != index || !indexes.isEmpty { indexes.append(Int32(truncatingIfNeeded: index)) }
        return index
    }

    subscript(key: PropertyKey) -> Int? { keys.index(of: key).map(index) }

    private func index(at place: Int) -> Int { indexes.isEmpty ? place : Int(indexes[place]) }

    /// An ``EntityIndex`` that does not change any more, for look-ups that count no references.
    final class Frozen: Sendable {
        private let owner: FrozenKeyTable
        private let keys: KeyTable.View
        private let indexes: FrozenTable<Int32>

        init(_ index: EntityIndex) {
            owner = FrozenKeyTable(index.keys)
            keys = owner.view
            indexes = FrozenTable(index.indexes)
        }

        deinit { indexes.deallocate() }

        @inline(__always)
        subscript(text: String) -> Int? {
            keys.index(named: text).map { indexes.isEmpty ? $0 : Int(indexes[$0]) }
        }

        subscript(key: PropertyKey) -> Int? {
            withUnsafePointer(to: key) { keys.index(ofKeyAt: $0) }.map { indexes.isEmpty ? $0 : Int(indexes[$0]) }
        }
    }
}
