/// The syntax tree of a pattern (ECMA-262, 22.2.1), stored flat: a node names its children by their index.
///
/// Children stand before their parents, so whatever is computed bottom-up is one loop over `nodes`. Nothing here is
/// nested in the memory's sense, so neither a walk nor the release of a deep tree uses the call stack.
struct PatternTree: Sendable {
    typealias NodeIndex = UInt32

    /// One production of the grammar. What flags and modifiers decide is already decided.
    enum Node: Sendable, Equatable {
        /// Matches without consuming.
        case empty
        /// One unit, compared as it is.
        case unit(UInt16)
        /// One unit of `sets[index]`, which is closed over case where case is ignored.
        case set(UInt32)
        /// Alternative: the nodes `children[start ..< end]`, one after the other.
        case sequence(start: UInt32, end: UInt32)
        /// Disjunction: the alternatives `children[start ..< end]`, in order of preference.
        case alternation(start: UInt32, end: UInt32)
        /// A capturing group; the number counts from 1.
        case group(NodeIndex, number: UInt32)
        /// A quantified atom: `repetitions[index]`.
        case repetition(UInt32)
        /// Lookahead or lookbehind: `lookarounds[index]`.
        case lookaround(UInt32)
        /// The groups `references[start ..< end]`, of which at most one has matched.
        case backReference(start: UInt32, end: UInt32, ignoreCase: Bool)
        /// A test of the position.
        case assertion(Assertion)
    }

    /// The simple assertions (22.2.2.4). `m` has already chosen between the first and the second two.
    enum Assertion: Sendable {
        case inputStart, inputEnd, lineStart, lineEnd, wordBoundary, notWordBoundary
        /// With `u` or `v` and `i`, the letters U+017F and U+212A are word characters too (22.2.2.9.3).
        case foldedWordBoundary, notFoldedWordBoundary
        /// Holds everywhere but between the halves of a surrogate pair.
        case pointBoundary
    }

    /// RepeatMatcher's arguments (22.2.2.3.1).
    struct Repetition: Sendable, Equatable {
        var body: NodeIndex
        var minimum: Int
        /// `Int.max`: without bound.
        var maximum: Int
        var isGreedy: Bool
        /// Groups inside the atom, which every iteration resets.
        var groups: Range<Int>
    }

    /// A lookaround (22.2.2.4).
    struct Lookaround: Sendable, Equatable {
        var body: NodeIndex
        var isBehind: Bool
        var isNegative: Bool
        /// The lookarounds inside are those from this number on, up to its own.
        var firstInside: Int
    }

    /// One group name and the groups that bear it, each in another alternative.
    struct NamedGroups: Sendable, Equatable {
        var name: String
        var numbers: [Int]
    }

    var nodes: [Node] = []
    var children: [NodeIndex] = []
    var sets: [CharacterSet] = []
    var repetitions: [Repetition] = []
    var lookarounds: [Lookaround] = []
    var references: [UInt32] = []
    /// The whole pattern.
    var root: NodeIndex = 0
    /// Whether the pattern has the flag `u` or `v`.
    var isUnicode = false
    /// Number of capturing groups.
    var groupCount = 0
    /// The names, in order of their first occurrence.
    var names: [NamedGroups] = []

    subscript(index: NodeIndex) -> Node { nodes[Int(index)] }

    /// Keeps matches from beginning between the halves of a surrogate pair.
    mutating func startAtPointBoundaries() {
        nodes.append(.assertion(.pointBoundary))
        children += [NodeIndex(nodes.count - 1), root]
        nodes.append(.sequence(start: UInt32(children.count - 2), end: UInt32(children.count)))
        root = NodeIndex(nodes.count - 1)
    }
}
