package import ConvertECMAScript

/// Reads the rule graphs of one config. Equal clauses share their leaves, and equal leaves share their storage.
struct RuleTreeReader: ~Copyable {
    private var clauses = ConfigMemo<RuleTree.Clause>()
    private var leaves = ConfigMemo<RuleLeaf>()

    /// Reads a graph of any kind.
    mutating func tree(_ cursor: JSONCursor) -> RuleTree {
        let blocks = cursor.parts(.or) { block in
            RuleTree.Block(clauses: block.parts(.and) { Self.clause($0, &clauses, &leaves) })
        }
        return RuleTree(blocks: blocks)
    }

    private static func clause(
        _ cursor: JSONCursor, _ clauses: inout ConfigMemo<RuleTree.Clause>, _ leaves: inout ConfigMemo<RuleLeaf>
    ) -> RuleTree.Clause? {
        clauses.made(of: cursor) { clause in
            RuleTree.Clause(leaves: clause.parts(.orWhen) { leaves.made(of: $0, by: RuleLeaf.init) })
        }
    }
}

extension RuleTree {
    /// Reads the graph in `value`, which may have any shape. A graph that is nested deeper than a config may be becomes
    /// empty.
    package init(_ value: JSValue) {
        let tree = value.withConfigCursor { cursor in
            var reader = RuleTreeReader()
            return reader.tree(cursor)
        }
        self = tree ?? RuleTree(blocks: [])
    }
}

extension JSONCursor {
    /// What `read` makes of the elements of a member; `nil` in place of a `null`. Empty if the member is not a list.
    fileprivate func parts<Part>(_ member: ConfigMember, _ read: (JSONCursor) -> Part?) -> [Part?] {
        self[member]?.elements.map { $0.isNull ? nil : read($0) } ?? []
    }
}
