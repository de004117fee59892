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

    /// The blocks of `OR`; empty if the member is missing or not a list.
    public let blocks: [Block?]

    /// Creates a tree of `blocks`.
    public init(blocks: [Block?]) { self.blocks = blocks }

    /// The leaves of all clauses, in order.
    package var leaves: [RuleLeaf] {
        var leaves: [RuleLeaf] = []
        for block in blocks {
            for clause in block?.clauses ?? [] {
                for case let leaf? in clause?.leaves ?? [] { leaves.append(leaf) }
            }
        }
        return leaves
    }

    /// The first leaf of type `bucketed_into_experience_key`, which is evaluated instead of the whole tree. Takes time
    /// linear to the number of leaves.
    package var exclusion: RuleLeaf? {
        // Nested loops: a chain of lazy sequences takes as long as the rest of a config's compilation.
        for block in blocks {
            for clause in block?.clauses ?? [] {
                for case let leaf? in clause?.leaves ?? [] where leaf.isExclusion { return leaf }
            }
        }
        return nil
    }

    /// The number of blocks, clauses and leaves. A `null` block or clause counts as if it had one leaf.
    var partCount: Int {
        var count = 0
        for block in blocks {
            count += block == nil ? 2 : 1
            for clause in block?.clauses ?? [] { count += 1 + (clause?.leaves.count ?? 1) }
        }
        return count
    }
}
