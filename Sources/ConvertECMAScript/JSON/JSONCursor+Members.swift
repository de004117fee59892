extension JSONCursor {
    /// The elements of an array, in order; none of anything else.
    package var elements: JSONChildren { JSONChildren(of: self, .array) }

    /// The members of an object, in JavaScript's order; none of anything else.
    package var members: JSONChildren { JSONChildren(of: self, .object) }

    /// The number of the member's name in the vocabulary that the document was parsed with; a larger one if the vocabulary
    /// does not have it or the value is no member.
    package var nameNumber: UInt32 { node.name }

    /// The member's name, the same text each time; `nil` if the value is no member.
    package var name: PropertyKey? { node.name == JSONNode.noName ? nil : storage.key(node.name) }

    /// The member whose name has this number in the vocabulary, or `nil` if there is none or the value is no object.
    package func member(_ number: UInt32) -> JSONCursor? {
        storage.member(number, of: index).map { JSONCursor(storage: storage, index: $0) }
    }

    /// The member of this name, or `nil` if there is none or the value is no object. A name is looked up once for each call.
    package subscript(name: String) -> JSONCursor? { storage.number(ofName: name).flatMap { member($0) } }
}

extension JSONCursor {
    /// The first number, here or in what this holds, that is beyond the range of a double and so was read as infinite.
    package var firstInfiniteNumber: JSONCursor? {
        let hasAny = (index..<index + node.span).contains { JSONCursor(storage: storage, index: $0).isInfinite }
        // The nodes include those of members whose name occurs again, which do not count.
        return hasAny ? descendants.first(where: \.isInfinite) : nil
    }

    /// The first name that two members of this object have; `nil` if there is none. Of them only the last one counts.
    package var firstRepeatedName: PropertyKey? {
        guard node.kind == .object else { return nil }
        var known: Set<PropertyKey> = []
        var child = index + 1
        while child < index + node.span {
            let member = JSONCursor(storage: storage, index: child)
            if let name = member.name, !known.insert(name).inserted { return name }
            child += member.node.span
        }
        return nil
    }

    private var isInfinite: Bool { node.kind == .number && number?.isInfinite == true }

    /// This value and all that it holds, each container before its contents, in the order of ``elements`` and ``members``.
    /// Depth costs memory, never stack.
    package var descendants: JSONDescendants { JSONDescendants(of: self) }
}

/// A value and all that it holds.
package struct JSONDescendants: Sequence, IteratorProtocol {
    /// What is left of the containers around the next value.
    private var open: [JSONChildren] = []
    private var first: JSONCursor?

    fileprivate init(of cursor: JSONCursor) { first = cursor }

    /// The next value.
    package mutating func next() -> JSONCursor? {
        guard let cursor = first.take() ?? nextInside() else { return nil }
        if cursor.isArray { open.append(cursor.elements) } else if cursor.isObject { open.append(cursor.members) }
        return cursor
    }

    private mutating func nextInside() -> JSONCursor? {
        while !open.isEmpty {
            if let child = open[open.count - 1].next() { return child }
            open.removeLast()
        }
        return nil
    }
}

/// The values in a container.
package struct JSONChildren: Sequence, IteratorProtocol {
    private let storage: JSONStorage
    private var rest: Int
    /// Number of the next value's node.
    private var following: Int
    /// Place of the next one in the table of members that are out of order; negative if they are in order.
    private var place: Int

    @inline(__always)
    fileprivate init(of container: JSONCursor, _ kind: JSONNode.Kind) {
        storage = container.storage
        rest = container.node.kind == kind ? container.node.length : 0
        following = container.index &+ 1
        place = container.node.orderStart ?? -1
    }

    /// The next value.
    package mutating func next() -> JSONCursor? {
        guard rest > 0 else { return nil }
        rest &-= 1
        let index: Int
        if place < 0 {
            index = following
            following &+= storage.node(index).span
        } else {
            index = storage.orderedMember(place)
            place &+= 1
        }
        return JSONCursor(storage: storage, index: index)
    }

    /// How many values are left.
    package var underestimatedCount: Int { rest }
}
