/// Pattern, Disjunction, Alternative and Term (ECMA-262, 22.2.1, with Annex B.1.2), read from UTF-16 code units.
///
/// Open groups are on an explicit stack, so nesting takes no call stack. Each extension has one part of the grammar:
/// groups, quantifiers, escapes, classes, names.
struct PatternParser {
    /// A group whose end has not been reached. The bottom of the stack is the pattern itself.
    struct OpenGroup {
        enum Kind {
            case pattern
            case capturing(number: Int)
            case plain
            case lookaround(isBehind: Bool, isNegative: Bool)
        }

        var kind: Kind
        /// The offset of the group's `(`.
        var offset: Int
        /// The flags outside the group, which apply again after it.
        var outerFlags: RegExpFlags
        /// Number of groups before this group.
        var groupsBefore: Int
        /// Number of lookarounds before this group.
        var lookaroundsBefore: Int
        /// Index in `alternatives` of the group's first alternative.
        var alternativesStart: Int
        /// Index in `terms` of the first term of the group's current alternative.
        var termsStart: Int
    }

    let units: [UInt16]
    var position = 0
    /// The flags at the parser's position, including modifiers.
    var flags: RegExpFlags
    var tree = PatternTree()
    var openGroups: [OpenGroup] = []
    var terms: [PatternTree.NodeIndex] = []
    var alternatives: [PatternTree.NodeIndex] = []
    /// The number of capturing groups in the whole pattern. It determines whether `\7` is a back reference.
    let totalGroups: Int
    /// Whether the pattern has a GroupName anywhere: the grammar parameter NamedCaptureGroups.
    let hasGroupNames: Bool
    var names = GroupNames()
    /// References to names. They are resolved at the pattern's end.
    var namedReferences: [(name: String, node: PatternTree.NodeIndex, offset: Int)] = []
    private var setIndices: [CharacterSet: UInt32] = [:]
    private var foldedSets: [CharacterSet: CharacterSet] = [:]
    private var foldedUnits: [UInt16: UInt32] = [:]
    /// The nodes of sets of code points. Equal sets share a node, because sets are large and often equal.
    var pointNodes: [CodePointSet: PatternTree.NodeIndex] = [:]
    /// The cost of classes so far; see ``RegExpLimits/classWork``.
    private var classWork = 0
    /// How many more ranges of alternatives may be merged into sets.
    private var mergeableRanges = RegExpLimits.mergedRanges

    /// Parses `units` as a Pattern.
    static func parse(_ units: [UInt16], flags: RegExpFlags) throws(RegExpSyntaxError) -> PatternTree {
        guard units.count <= RegExpLimits.patternLength else { throw RegExpSyntaxError(.tooLarge, at: 0) }
        var parser = PatternParser(units: units, flags: flags)
        return try parser.parsePattern()
    }

    private init(units: [UInt16], flags: RegExpFlags) {
        self.units = units
        self.flags = flags
        let survey = GroupSurvey(units)
        totalGroups = survey.groups
        hasGroupNames = survey.hasNames
        tree.isUnicode = isUnicode
    }

    private mutating func parsePattern() throws(RegExpSyntaxError) -> PatternTree {
        open(.pattern, at: 0)
        while position < units.count {
            try parseTerm()
            try checkClassWork()
        }
        guard openGroups.count == 1, let pattern = openGroups.popLast() else {
            throw RegExpSyntaxError(.unterminatedGroup, at: openGroups.last?.offset ?? 0)
        }
        tree.root = closeDisjunction(pattern)
        try resolveNamedReferences()
        tree.names = names.groups
        return tree
    }

    private mutating func parseTerm() throws(RegExpSyntaxError) {
        let groupsBefore = tree.groupCount
        switch current {
        case "|":
            position += 1
            endAlternative()
            names.startAlternative()
        case "(":
            try parseGroupStart()
        case ")":
            try parseGroupEnd()
        case "^":
            position += 1
            terms.append(add(.assertion(flags.contains(.multiline) ? .lineStart : .inputStart)))
        case "$":
            position += 1
            terms.append(add(.assertion(flags.contains(.multiline) ? .lineEnd : .inputEnd)))
        case "*", "+", "?":
            throw RegExpSyntaxError(.nothingToRepeat, at: position)
        case "{" where bracedQuantifier() != nil:
            // InvalidBracedQuantifier; any other brace is an ExtendedPatternCharacter.
            throw RegExpSyntaxError(.nothingToRepeat, at: position)
        case "{", "}", "]":
            if isUnicode { throw RegExpSyntaxError(.loneBracket, at: position) }
            try parseQuantifier(of: addUnit(readUnit()), groupsBefore: groupsBefore)
        case "[" where isUnicode:
            try parseQuantifier(of: parseUnicodeClass(), groupsBefore: groupsBefore)
        case "\\" where isUnicode:
            try parseUnicodeAtomEscape()
        case "[":
            try parseQuantifier(of: addSet(parseClass(), folding: false), groupsBefore: groupsBefore)
        case "\\":
            try parseAtomEscape()
        case ".":
            position += 1
            let set = flags.contains(.dotAll) ? CharacterSet.all : CharacterSet.lineTerminators.inverted
            let points = flags.contains(.dotAll) ? CodePointSet.all : CodePointSet(.lineTerminators).inverted
            let node = isUnicode ? addPoints(points) : addSet(set, folding: false)
            try parseQuantifier(of: node, groupsBefore: groupsBefore)
        default:
            let node = isUnicode ? addPoint(readPoint()) : addUnit(readUnit())
            try parseQuantifier(of: node, groupsBefore: groupsBefore)
        }
    }
}

/// Reading.
extension PatternParser {
    /// The unit at `position + distance` as a scalar; `nil` at the end, and for half of a pair, which is never syntax.
    func peek(_ distance: Int) -> Unicode.Scalar? {
        let index = position + distance
        return index < units.count ? Unicode.Scalar(units[index]) : nil
    }

    var current: Unicode.Scalar? { peek(0) }

    /// Consumes one unit.
    mutating func readUnit() -> UInt16 {
        position += 1
        return units[position - 1]
    }

    /// Consumes `scalar` if it is next.
    mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }
}

/// Building.
extension PatternParser {
    mutating func add(_ node: PatternTree.Node) -> PatternTree.NodeIndex {
        tree.nodes.append(node)
        return PatternTree.NodeIndex(tree.nodes.count - 1)
    }

    /// Adds a unit, or the set of units with the same canonical form.
    mutating func addUnit(_ unit: UInt16) -> PatternTree.NodeIndex {
        guard flags.contains(.ignoreCase) else { return add(.unit(unit)) }
        if let index = foldedUnits[unit] { return add(.set(index)) }
        let set = Canonicalize.closure(of: CharacterSet(unit))
        guard set.bounds != [unit, unit] else { return add(.unit(unit)) }
        let index = intern(set)
        foldedUnits[unit] = index
        return add(.set(index))
    }

    mutating func addSet(_ set: CharacterSet, folding: Bool = true) -> PatternTree.NodeIndex {
        add(.set(intern(folding ? folded(set) : set)))
    }

    /// The set under the flags at the parser's position: closed over case if case is ignored.
    mutating func folded(_ set: CharacterSet) -> CharacterSet {
        guard flags.contains(.ignoreCase) else { return set }
        if let closure = foldedSets[set] { return closure }
        chargeClassWork(set.bounds.count + Canonicalize.count(in: set))
        let closure = Canonicalize.closure(of: set)
        foldedSets[set] = closure
        return closure
    }

    /// Adds to the cost of classes. Call ``checkClassWork()`` soon after.
    mutating func chargeClassWork(_ work: Int) { classWork += work }

    func checkClassWork() throws(RegExpSyntaxError) {
        if classWork > RegExpLimits.classWork { throw RegExpSyntaxError(.tooLarge, at: position) }
    }

    private mutating func intern(_ set: CharacterSet) -> UInt32 {
        if let index = setIndices[set] { return index }
        let index = UInt32(tree.sets.count)
        tree.sets.append(set)
        setIndices[set] = index
        return index
    }

    /// Ends the terms read since the last `|`.
    mutating func endAlternative() {
        let start = openGroups[openGroups.count - 1].termsStart
        let alternative = collect(terms[start...], as: PatternTree.Node.sequence)
        terms.removeSubrange(start...)
        alternatives.append(alternative)
    }

    /// Ends the last alternative of `group`, and joins all of its alternatives.
    mutating func closeDisjunction(_ group: OpenGroup) -> PatternTree.NodeIndex {
        let alternative = collect(terms[group.termsStart...], as: PatternTree.Node.sequence)
        terms.removeSubrange(group.termsStart...)
        alternatives.append(alternative)
        let node =
            singleSet(alternatives[group.alternativesStart...])
            ?? collect(alternatives[group.alternativesStart...], as: PatternTree.Node.alternation)
        alternatives.removeSubrange(group.alternativesStart...)
        return node
    }

    /// Merges alternatives into a set, if each is one unit; otherwise `nil`. The order of such alternatives does not
    /// affect the match.
    ///
    /// The number of merged ranges is limited. Otherwise nested groups could copy a large set once for each level.
    private mutating func singleSet(_ items: ArraySlice<PatternTree.NodeIndex>) -> PatternTree.NodeIndex? {
        guard items.count > 1 else { return nil }
        var ranges: [ClosedRange<UInt16>] = []
        for item in items {
            switch tree[item] {
            case .unit(let unit): ranges.append(unit...unit)
            case .set(let set): ranges += tree.sets[Int(set)].ranges
            default: return nil
            }
            if ranges.count > mergeableRanges { return nil }
        }
        mergeableRanges -= ranges.count
        return addSet(CharacterSet(ranges: ranges), folding: false)
    }

    /// One node for `items`: an empty node, the only item, or `node` with all items as children.
    mutating func collect(
        _ items: ArraySlice<PatternTree.NodeIndex>, as node: (UInt32, UInt32) -> PatternTree.Node
    ) -> PatternTree.NodeIndex {
        guard let first = items.first else { return add(.empty) }
        guard items.count > 1 else { return first }
        let start = UInt32(tree.children.count)
        tree.children.append(contentsOf: items)
        return add(node(start, UInt32(tree.children.count)))
    }
}
