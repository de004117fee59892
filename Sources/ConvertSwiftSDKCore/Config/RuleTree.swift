package import ConvertECMAScript

/// A rule graph as a config has it: an `OR` of blocks, each an `AND` of clauses, each an `OR_WHEN` of leaves.
///
/// A block, clause or leaf that is `nil` stands for a `null` in the config. The JavaScript SDK throws when evaluation
/// reaches a `null`. Any other value that is not an object has no members, so it never matches.
public struct RuleTree: Sendable, Equatable {
    /// One block: all of its clauses must hold.
    public struct Block: Sendable, Equatable {
        /// The clauses of `AND`; empty if the member is missing or not a list.
        public var clauses: [Clause?]

        /// Creates a block of `clauses`.
        public init(clauses: [Clause?]) { self.clauses = clauses }
    }

    /// One clause: its leaves are alternatives.
    public struct Clause: Sendable, Equatable {
        /// The leaves of `OR_WHEN`; empty if the member is missing or not a list.
        public var leaves: [RuleLeaf?]

        /// Creates a clause of `leaves`.
        public init(leaves: [RuleLeaf?]) { self.leaves = leaves }
    }

    /// The leaves of all clauses, in order. A `null` block and a `null` clause each have a single `nil` leaf.
    let leaves: [RuleLeaf?]

    /// For each block its number of clauses, followed by the number of leaves of each clause. The number of a `null` is
    /// ``null``.
    private let counts: [Int32]

    /// The first leaf of type `bucketed_into_experience_key`, which is evaluated instead of the whole tree. Takes time
    /// linear to the number of leaves.
    var exclusion: RuleLeaf? { leaves.lazy.compactMap { $0 }.first(where: \.isExclusion) }

    /// The number of a `null` in ``counts``.
    static let null: Int32 = -1

    /// Creates a tree of `leaves`, arranged by `counts`.
    init(leaves: [RuleLeaf?], counts: [Int32]) {
        self.leaves = leaves
        self.counts = counts
    }

    /// Creates a tree of `blocks`.
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

    /// The blocks of `OR`; empty if the member is missing or not a list.
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

    /// The names of the properties that the leaves may read, in lowercase: their keys, and their types, which stand for
    /// missing keys.
    package var propertyNames: Set<PropertyKey> {
        var names: Set<PropertyKey> = []
        for leaf in leaves {
            if let key = leaf?.attribute { names.insert(key.lowercase) }
            if let type = leaf?.ruleType { names.insert(PropertyKey(type).lowercase) }
        }
        return names
    }

    var isEmpty: Bool { counts.isEmpty }

    /// A part of a tree.
    enum Part {
        /// A block, followed by its clauses.
        case block(clauses: Int)
        case nullBlock
        /// A clause, with the indices of its leaves in ``RuleTree/leaves``.
        case clause(Range<Int>)
        case nullClause
    }

    /// Blocks, each followed by its clauses.
    var parts: Parts { Parts(counts: counts) }

    /// The sequence of ``RuleTree/parts``.
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
