package import ConvertECMAScript

/// Reads the rule graphs of one config. Equal leaves share their storage, and so do successive graphs of the same
/// shape.
struct RuleTreeReader: ~Copyable {
    /// The arrangement of a graph.
    struct Shape {
        /// The counts of a ``RuleTree``.
        fileprivate(set) var counts: [Int32] = []
        fileprivate(set) var leafCount = 0

        /// The number of blocks, clauses and leaves.
        var parts: Int { counts.count + leafCount }
    }

    private var known = ConfigMemo<RuleLeaf>()
    private var latest = Shape()
    /// Scratch space for counting a graph whose shape may equal ``latest``.
    private var next = Shape()

    /// Returns the shape of a graph of any kind, without reading its leaves.
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

    /// Reads a graph with the given shape.
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
    /// Reads the graph in `value`, which may have any shape. A graph that is nested deeper than a config may be becomes
    /// empty.
    package init(_ value: JSValue) {
        let tree = value.withConfigCursor { cursor in
            var reader = RuleTreeReader()
            return reader.tree(cursor, reader.shape(of: cursor))
        }
        self = tree ?? RuleTree(blocks: [])
    }
}

extension JSONCursor {
    /// The number of elements of a member that is a list; otherwise 0.
    fileprivate func elementCount(of member: ConfigMember) -> Int {
        guard let list = self[member], list.isArray else { return 0 }
        return list.count
    }

    /// Calls `body` with each element of a member that is a list.
    fileprivate func forEachElement(of member: ConfigMember, _ body: (JSONCursor) -> Void) {
        guard let list = self[member] else { return }
        for element in list.elements { body(element) }
    }
}
