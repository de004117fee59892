package import ConvertECMAScript

/// A rule graph as it stands in a config: `OR` of blocks, each an `AND` of clauses, each an `OR_WHEN` of leaves.
///
/// Wherever the reference expects an object, `nil` records a `null`: it makes the reference throw when evaluation
/// reaches it. Anything else that is no object has no members, and so holds nothing and never matches.
///
/// It holds its leaves in one list, whatever its shape.
public struct RuleTree: Sendable, Equatable {
    /// One block: all of its clauses must hold.
    public struct Block: Sendable, Equatable {
        /// The clauses of `AND`; empty if the member is missing or no list.
        public var clauses: [Clause?]

        /// A block of `clauses`.
        public init(clauses: [Clause?]) { self.clauses = clauses }
    }

    /// One clause: its leaves are alternatives.
    public struct Clause: Sendable, Equatable {
        /// The leaves of `OR_WHEN`; empty if the member is missing or no list.
        public var leaves: [RuleLeaf?]

        /// A clause of `leaves`.
        public init(leaves: [RuleLeaf?]) { self.leaves = leaves }
    }

    /// The leaves of all clauses, in order. A `null` block and a `null` clause have one, which is `nil`, as a `null` leaf is.
    private(set) var leaves: [RuleLeaf?] = []

    /// For each block how many clauses it has, followed for each of them by how many leaves it has; ``null`` for a `null`.
    private var counts: [Int32] = []

    private static let null = -1

    /// A tree of `blocks`.
    public init(blocks: [Block?]) {
        for block in blocks {
            guard let block else {
                appendNull()
                continue
            }
            counts.append(Int32(truncatingIfNeeded: block.clauses.count))
            for clause in block.clauses {
                guard let clause else {
                    appendNull()
                    continue
                }
                counts.append(Int32(truncatingIfNeeded: clause.leaves.count))
                leaves += clause.leaves
            }
        }
    }

    /// The blocks of `OR`; empty if the member is missing or no list.
    public var blocks: [Block?] {
        var blocks: [Block?] = []
        for part in parts {
            switch part {
            case .block: blocks.append(Block(clauses: []))
            case .nullBlock: blocks.append(nil)
            case .clause(let range): blocks[blocks.count - 1]?.clauses.append(Clause(leaves: Array(leaves[range])))
            case .nullClause: blocks[blocks.count - 1]?.clauses.append(nil)
            }
        }
        return blocks
    }

    /// Whether there are no blocks.
    var isEmpty: Bool { counts.isEmpty }

    /// A part of a tree.
    enum Part {
        /// A block, whose clauses follow.
        case block(clauses: Int)
        case nullBlock
        /// A clause, with the indices of its leaves in ``RuleTree/leaves``.
        case clause(Range<Int>)
        case nullClause
    }

    /// Blocks, each followed by its clauses.
    var parts: Parts { Parts(counts: counts) }

    /// See ``RuleTree/parts``.
    struct Parts: Sequence, IteratorProtocol {
        private let counts: [Int32]
        private var place = 0
        private var clausesLeft = 0
        private var leaf = 0

        fileprivate init(counts: [Int32]) { self.counts = counts }

        mutating func next() -> Part? {
            guard place < counts.count else { return nil }
            let count = Int(counts[place])
            place += 1
            if clausesLeft == 0 {
                if count == RuleTree.null {
                    leaf += 1
                    return .nullBlock
                }
                clausesLeft = count
                return .block(clauses: count)
            }
            clausesLeft -= 1
            let start = leaf
            leaf += count == RuleTree.null ? 1 : count
            return count == RuleTree.null ? .nullClause : .clause(start..<leaf)
        }
    }
}

extension RuleTree {
    /// The graph that `value` is on the wire, of any shape; one that is nested deeper than a config may be holds nothing.
    package init(_ value: JSValue) {
        self = value.withConfigCursor { RuleTree($0, RuleTreeSize(of: $0)) } ?? RuleTree(blocks: [])
    }

    /// Reads a graph of any shape, whose size is `size`.
    init(_ cursor: JSONCursor, _ size: RuleTreeSize) {
        leaves.reserveCapacity(size.leaves)
        counts.reserveCapacity(size.blocksAndClauses)
        cursor.forEachElement(of: .or) { block in
            if block.isNull { return appendNull() }
            counts.append(Int32(truncatingIfNeeded: block.elementCount(of: .and)))
            block.forEachElement(of: .and) { clause in
                if clause.isNull { return appendNull() }
                counts.append(Int32(truncatingIfNeeded: clause.elementCount(of: .orWhen)))
                clause.forEachElement(of: .orWhen) { leaves.append($0.isNull ? nil : RuleLeaf($0)) }
            }
        }
    }

    private mutating func appendNull() {
        counts.append(Int32(Self.null))
        leaves.append(nil)
    }
}

/// How much a graph holds, counted without reading its leaves.
struct RuleTreeSize {
    private(set) var blocksAndClauses = 0
    /// Entries of ``RuleTree/leaves``.
    private(set) var leaves = 0

    /// What the graph is charged with.
    var parts: Int { blocksAndClauses + leaves }

    init(of cursor: JSONCursor) {
        cursor.forEachElement(of: .or) { block in
            blocksAndClauses += 1
            if block.isNull { leaves += 1 }
            block.forEachElement(of: .and) { clause in
                blocksAndClauses += 1
                leaves += clause.isNull ? 1 : clause.elementCount(of: .orWhen)
            }
        }
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
