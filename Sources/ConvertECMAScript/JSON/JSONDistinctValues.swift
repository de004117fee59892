/// The values of one document that have different contents, numbered from 0 in the order in which they are met.
package struct JSONDistinctValues: ~Copyable {
    private var values: [JSONCursor] = []
    private var places = HashIndex()

    /// No values.
    package init() {}

    /// The number of the values with the contents of `value`, which is the next one if it is the first. It takes time
    /// linear to what `value` holds.
    package mutating func number(of value: JSONCursor) -> Int {
        let hash = value.contentsHash
        if let place = places.place(hash: hash, where: { values[$0].hasSameContents(as: value) }) { return place }
        places.insert(values.count, hash: hash)
        values.append(value)
        return values.count - 1
    }
}

extension JSONCursor {
    /// Whether this and another value of the document hold the same values under the same names, in the same order. An
    /// object that has a name twice, or one that is an index, is like no other.
    fileprivate func hasSameContents(as other: JSONCursor) -> Bool {
        let span = node.span
        return other.node.span == span && storage.areAlike(index, other.index, count: span)
    }

    /// A hash of the value and of all that it holds, which is the same for values with the same contents. It is seeded
    /// anew in every process.
    fileprivate var contentsHash: UInt32 { UInt32(truncatingIfNeeded: storage.hash(of: index, count: node.span)) }
}
