extension JSONCursor {
    /// The elements of an array, in order; empty for any other value.
    package var elements: JSONChildren { JSONChildren(of: self, .array) }

    /// The members of an object, in JavaScript's order; empty for any other value.
    package var members: JSONChildren { JSONChildren(of: self, .object) }

    /// The number of the member's name. If the vocabulary does not have the name, or the value is not a member, the
    /// number is larger than all numbers of the vocabulary.
    package var nameNumber: UInt32 { node.name }

    /// The member's name, the same string instance each time; `nil` if the value is not a member.
    package var name: PropertyKey? { node.name == JSONNode.noName ? nil : storage.key(node.name) }

    /// The member whose name has this number in the vocabulary, or `nil` if there is no such member or the value is not
    /// an object.
    package func member(_ number: UInt32) -> JSONCursor? {
        storage.member(number, of: index).map { JSONCursor(storage: storage, index: $0) }
    }

    /// The member with this name, or `nil` if there is no such member or the value is not an object. Each call looks up
    /// the name.
    package subscript(name: String) -> JSONCursor? { storage.number(ofName: name).flatMap { member($0) } }
}

extension JSONCursor {
    /// The first number in this value or its contents that is beyond the range of a double, and was therefore read as
    /// infinite; `nil` if there is no such number.
    package var firstInfiniteNumber: JSONCursor? {
        let hasAny = (index..<index + node.span).contains { JSONCursor(storage: storage, index: $0).isInfinite }
        // The nodes include members that a later member with the same name overrides.
        return hasAny ? descendants.first(where: \.isInfinite) : nil
    }

    /// The first name that two members of this object have; `nil` if names are unique. Only the last of these members
    /// counts.
    package var firstRepeatedName: PropertyKey? {
        // The members of such an object are reordered.
        guard node.kind == .object, node.orderStart != nil else { return nil }
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

    /// This value and all values in it, in the order of ``elements`` and ``members``. Each container precedes its
    /// contents. Nesting takes memory, but no call stack.
    package var descendants: JSONDescendants { JSONDescendants(of: self) }
}

/// A value and all values in it.
package struct JSONDescendants: Sequence, IteratorProtocol {
    /// The remaining values of the containers around the next value.
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
    /// Index of the next value in the table of reordered members; negative if the members are in document order.
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

    /// The number of values left.
    package var underestimatedCount: Int { rest }
}
