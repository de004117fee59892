internal import ConvertECMAScript

/// Finds the leaf with a dotted name, reading only values on the path to it.
struct LeafLookup {
    private let name: [UInt8]
    /// The ends of the name's parts: its dots, and its own end.
    private let ends: [Int]

    private static let dot = UInt8(ascii: ".")

    init(_ name: PropertyKey) {
        let bytes = Array(name.name.utf8)
        self.name = bytes
        ends = bytes.indices.filter { bytes[$0] == Self.dot } + CollectionOfOne(bytes.count)
    }

    /// The leaf, or `nil` if it is missing. If two paths have the same name, the later path counts.
    func leaf(of data: JSObject) -> JSValue? { leaf(of: .object(data), part: 0, depth: 0) }

    /// The leaf that the parts from index `part` on lead to.
    private func leaf(of value: JSValue, part: Int, depth: Int) -> JSValue? {
        if part == ends.count { return value.isLeaf ? value : nil }
        guard depth < MobileRulesLimits.dataDepth else { return nil }
        switch value {
        case .object(let object):
            for (index, last) in members(of: object, part: part) {
                let inner = object.members[index].value
                if let leaf = leaf(of: inner, part: last + 1, depth: depth + 1) { return leaf }
            }
            return nil
        case .array(let elements):
            guard let index = ECMAScript.arrayIndex(text(part, through: part)), index < elements.count else {
                return nil
            }
            return leaf(of: elements[Int(index)], part: part + 1, depth: depth + 1)
        default:
            return nil
        }
    }

    /// Members whose names are one or more successive parts, starting with this part: their indexes, and the index of
    /// the last of these parts. Members are in reverse order.
    private func members(of object: JSObject, part: Int) -> [(index: Int, last: Int)] {
        // A look-up costs the length of the parts, and a name may consist of many dots. So the shorter of the two
        // lists, parts and members, is traversed.
        if object.count > ends.count - part {
            return (part..<ends.count).compactMap { last in
                object.index(of: PropertyKey(text(part, through: last))).map { ($0, last) }
            }.sorted { $0.index > $1.index }
        }
        let start = start(of: part)
        return object.members.indices.reversed().compactMap { index in
            let key = object.members[index].key.name.utf8
            let end = start + key.count
            guard end <= name.count, end == name.count || name[end] == Self.dot,
                name[start..<end].elementsEqual(key), let last = ends[part...].firstIndex(of: end)
            else { return nil }
            return (index, last)
        }
    }

    private func start(of part: Int) -> Int { part == 0 ? 0 : ends[part - 1] + 1 }

    private func text(_ first: Int, through last: Int) -> String {
        String(decoding: name[start(of: first)..<ends[last]], as: UTF8.self)
    }
}
