/// What was made of values of one document, each once for all values that have the same contents.
package struct JSONMemo<Made> {
    private var known: [(value: JSONCursor, made: Made)] = []
    private var places = ProbeTable()

    /// A memo of nothing.
    package init() {}

    /// What was made of a value like `value`, or else what `make` makes of it. It takes time linear to what `value` holds.
    package mutating func made(of value: JSONCursor, by make: (JSONCursor) throws -> Made) rethrows -> Made {
        let hash = value.contentsHash
        if let place = places.place(hash: hash, where: { known[$0].value.hasSameContents(as: value) }) {
            return known[place].made
        }
        let made = try make(value)
        places.insert(known.count, hash: hash)
        known.append((value, made))
        return made
    }
}

extension JSONCursor {
    /// Whether this and another value of the document hold the same values under the same names, in the same order. An object
    /// that has a name twice, or one that is an index, is like no other.
    package func hasSameContents(as other: JSONCursor) -> Bool {
        let span = node.span
        return other.node.span == span
            && (0..<span).allSatisfy { offset in
                let (left, right) = (storage.node(index &+ offset), storage.node(other.index &+ offset))
                return (offset == 0 || left.name == right.name) && storage.areAlike(left, right)
            }
    }

    /// A hash of the value and of all that it holds, which is the same for values with the same contents. It is seeded anew in
    /// every process.
    fileprivate var contentsHash: UInt32 {
        var hash: UInt64 = 0
        for offset in 0..<node.span {
            let node = storage.node(index &+ offset)
            hash = PropertyKey.combine(hash, UInt64(offset == 0 ? JSONNode.noName : node.name))
            hash = PropertyKey.combine(hash, storage.hash(of: node))
        }
        return UInt32(truncatingIfNeeded: hash)
    }
}
