internal import ConvertECMAScript

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
    let leaves: [RuleLeaf?]

    /// For each block how many clauses it has, followed for each of them by how many leaves it has; ``null`` for a `null`.
    private let counts: [Int32]

    /// The first leaf of the type `bucketed_into_experience_key`, which stands for the whole tree. It takes time linear
    /// to the leaves.
    var exclusion: RuleLeaf? { leaves.lazy.compactMap { $0 }.first(where: \.isExclusion) }

    /// What stands for a `null` among ``counts``.
    static let null: Int32 = -1

    /// A tree of `leaves`, arranged as `counts` says.
    init(leaves: [RuleLeaf?], counts: [Int32]) {
        self.leaves = leaves
        self.counts = counts
    }

    /// A tree of `blocks`.
    public init(blocks: [Block?]) {
        var leaves: [RuleLeaf?] = []
        var counts: [Int32] = []
        for block in blocks {
            counts.append(block.map { Int32(truncatingIfNeeded: $0.clauses.count) } ?? Self.null)
            if block == nil { leaves.append(nil) }
            for clause in block?.clauses ?? [] {
                counts.append(clause.map { Int32(truncatingIfNeeded: $0.leaves.count) } ?? Self.null)
                leaves += clause?.leaves ?? [nil]
            }
        }
        self.init(leaves: leaves, counts: counts)
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
            let count = counts[place] == RuleTree.null ? nil : Int(counts[place])
            place += 1
            if clausesLeft == 0 {
                guard let count else {
                    leaf += 1
                    return .nullBlock
                }
                clausesLeft = count
                return .block(clauses: count)
            }
            clausesLeft -= 1
            let start = leaf
            leaf += count ?? 1
            return count == nil ? .nullClause : .clause(start..<leaf)
        }
    }
}
