/// The syntax tree of a pattern (ECMA-262, 22.2.1), stored flat: a node refers to its children by index.
///
/// Children precede their parents, so a bottom-up computation is one loop over `nodes`. There are no nested objects, so
/// neither traversing nor releasing a deep tree uses the call stack.
struct PatternTree: Sendable {
    typealias NodeIndex = UInt32

    /// One production of the grammar. The effects of flags and modifiers are already applied.
    enum Node: Sendable, Equatable {
        /// The empty text.
        case empty
        /// One unit, compared without case folding.
        case unit(UInt16)
        /// One unit of `sets[index]`. The set is closed over case if case is ignored.
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

    /// The simple assertions (22.2.2.4). The flag `m` determines whether `^` and `$` are the input's or a line's ends.
    enum Assertion: Sendable {
        case inputStart, inputEnd, lineStart, lineEnd, wordBoundary, notWordBoundary
        /// With `u` or `v` and `i`, the letters U+017F and U+212A are word characters too (22.2.2.9.3).
        case foldedWordBoundary, notFoldedWordBoundary
        /// Holds everywhere except between the halves of a surrogate pair.
        case pointBoundary
    }

    /// RepeatMatcher's arguments (22.2.2.3.1).
    struct Repetition: Sendable, Equatable {
        var body: NodeIndex
        var minimum: Int
        /// The maximum; `Int.max` means no maximum.
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
        /// The number of the first lookaround inside. Inner lookarounds have the numbers from this number up to the
        /// lookaround's own number.
        var firstInside: Int
    }

    /// A group name and its groups, each in a different alternative.
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

    /// Prevents matches from beginning between the halves of a surrogate pair.
    mutating func startAtPointBoundaries() {
        nodes.append(.assertion(.pointBoundary))
        children += [NodeIndex(nodes.count - 1), root]
        nodes.append(.sequence(start: UInt32(children.count - 2), end: UInt32(children.count)))
        root = NodeIndex(nodes.count - 1)
    }
}
