package import ConvertECMAScript

/// Reads the rule graphs of one config. Leaves that say the same share their storage, as do graphs of one shape that follow
/// each other.
struct RuleTreeReader: ~Copyable {
    /// How a graph is arranged.
    struct Shape {
        /// See ``RuleTree``.
        fileprivate(set) var counts: [Int32] = []
        fileprivate(set) var leafCount = 0

        /// What the graph is charged with.
        var parts: Int { counts.count + leafCount }
    }

    private var known = ConfigMemo<RuleLeaf>()
    private var latest = Shape()
    /// The next one, until it is known to differ.
    private var next = Shape()

    /// The shape of a graph of any kind, found without reading its leaves.
    mutating func shape(of cursor: JSONCursor) -> Shape {
        next.counts.removeAll(keepingCapacity: true)
        next.leafCount = 0
        cursor.forEachElement(of: .or) { block in
            append(block.isNull ? nil : block.elementCount(of: .and), leaves: block.isNull ? 1 : 0)
            block.forEachElement(of: .and) { clause in
                let count = clause.isNull ? nil : clause.elementCount(of: .orWhen)
                append(count, leaves: count ?? 1)
            }
        }
        if next.counts != latest.counts { latest = Shape(counts: next.counts.map { $0 }, leafCount: next.leafCount) }
        return latest
    }

    private mutating func append(_ count: Int?, leaves: Int) {
        next.counts.append(count.map { Int32(truncatingIfNeeded: $0) } ?? RuleTree.null)
        next.leafCount += leaves
    }

    /// Reads a graph, whose shape is `shape`.
    mutating func tree(_ cursor: JSONCursor, _ shape: Shape) -> RuleTree {
        var leaves: [RuleLeaf?] = []
        leaves.reserveCapacity(shape.leafCount)
        cursor.forEachElement(of: .or) { block in
            if block.isNull { leaves.append(nil) }
            block.forEachElement(of: .and) { clause in
                if clause.isNull { leaves.append(nil) }
                clause.forEachElement(of: .orWhen) { leaf in
                    leaves.append(leaf.isNull ? nil : known.made(of: leaf, by: RuleLeaf.init))
                }
            }
        }
        return RuleTree(leaves: leaves, counts: shape.counts)
    }
}

extension RuleTree {
    /// The graph that `value` is on the wire, of any shape; one that is nested deeper than a config may be holds nothing.
    package init(_ value: JSValue) {
        let tree = value.withConfigCursor { cursor in
            var reader = RuleTreeReader()
            return reader.tree(cursor, reader.shape(of: cursor))
        }
        self = tree ?? RuleTree(blocks: [])
    }
}

extension JSONCursor {
    /// How many elements a member has that is a list; 0 without one.
    fileprivate func elementCount(of member: ConfigMember) -> Int {
        guard let list = self[member], list.isArray else { return 0 }
        return list.count
    }

    /// Calls `body` with the elements of a member that is a list.
    fileprivate func forEachElement(of member: ConfigMember, _ body: (JSONCursor) -> Void) {
        guard let list = self[member] else { return }
        for element in list.elements { body(element) }
    }
}
