/// Numbers the distinct values of one document from 0, in the order in which they are passed.
package struct JSONDistinctValues: ~Copyable {
    private var values: [JSONCursor] = []
    private var places = HashIndex()

    /// Creates an empty numbering.
    package init() {}

    /// Returns the number of the values with the contents of `value`, and assigns the next number to new contents.
    /// Takes time linear to the size of `value`.
    package mutating func number(of value: JSONCursor) -> Int {
        let hash = value.contentsHash
        if let place = places.place(hash: hash, where: { values[$0].hasSameContents(as: value) }) { return place }
        places.insert(values.count, hash: hash)
        values.append(value)
        return values.count - 1
    }
}

extension JSONCursor {
    /// Whether this value and another value of the document have the same contents, with members in the same order. An
    /// object whose members were reordered, because of a repeated name or array indexes, equals no other value.
    fileprivate func hasSameContents(as other: JSONCursor) -> Bool {
        let span = node.span
        return other.node.span == span && storage.areAlike(index, other.index, count: span)
    }

    /// A hash of the value and its contents, which is equal for values with the same contents. The seed changes with
    /// every process.
    fileprivate var contentsHash: UInt32 { UInt32(truncatingIfNeeded: storage.hash(of: index, count: node.span)) }
}
