extension JSONCursor {
    /// The value with all of its contents. Nesting takes memory, but no call stack.
    package var value: JSValue {
        // Most containers hold no other containers, or only empty containers.
        if isArray, node.span == node.length + 1 { return .array(elements.map(\.scalar)) }
        guard var root = JSONPartialValue(self) else { return scalar }
        if node.span == node.length + 1 {
            while let child = root.children.next() { root.append(child.scalar, named: child) }
            return root.value
        }
        // The containers are changed in place, because removing and reinserting a container may copy its contents.
        var open = [root]
        while true {
            let last = open.count - 1
            if let child = open[last].children.next() {
                if let container = JSONPartialValue(child) {
                    open.append(container)
                } else {
                    open[last].append(child.scalar, named: child)
                }
            } else {
                let (value, place) = (open[last].value, open[last].place)
                if last == 0 { return value }
                open.removeLast()
                open[last - 1].append(value, named: place)
            }
        }
    }

    /// The value of a scalar or an empty container.
    private var scalar: JSValue {
        switch node.kind {
        case .null: .null
        case .array: .array([])
        case .object: .object(JSObject())
        case .bool: .bool(node.payload == 1)
        case .integer: .integer(Int(truncatingIfNeeded: node.payload))
        case .number: .number(Double(bitPattern: node.payload))
        case .text: .string(text ?? "")
        case .loneSurrogateText: illFormedText.map { .illFormedString($0) } ?? .null
        }
    }
}

/// A container under construction.
private struct JSONPartialValue {
    let place: JSONCursor
    var children: JSONChildren
    private var elements: [JSValue] = []
    private var members: [JSObject.Member] = []

    /// Returns `nil` if `cursor` is not on a container.
    init?(_ cursor: JSONCursor) {
        place = cursor
        if cursor.isArray {
            children = cursor.elements
            elements.reserveCapacity(cursor.count)
        } else if cursor.isObject {
            children = cursor.members
            members.reserveCapacity(cursor.count)
        } else {
            return nil
        }
    }

    mutating func append(_ value: JSValue, named child: JSONCursor) {
        guard let name = child.name else { return elements.append(value) }
        members.append(JSObject.Member(key: name, value: value))
    }

    var value: JSValue { place.isArray ? .array(elements) : .object(JSObject(unique: members)) }
}
