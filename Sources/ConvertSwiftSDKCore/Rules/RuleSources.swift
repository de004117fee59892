internal import ConvertECMAScript

/// The conditions of a program as the config has them, for what needs them seldom: rule data, explanations, warnings and
/// operands of rare shapes. They are made anew each time, from the config's own leaves.
struct RuleSources: Sendable {
    private enum RuleSet: Sendable {
        case tree(RuleTree, RuleAdapter)
        case groups([RuleGroup])
    }

    private var sets: [RuleSet] = []
    /// For each set the index of its first condition.
    private var starts: [Int32] = []

    /// Adds the conditions of `tree`, of which the first one has the index `start`, above those before it.
    mutating func append(_ tree: RuleTree, flattenedBy adapter: RuleAdapter, at start: Int) {
        append(.tree(tree, adapter), at: start)
    }

    /// Adds the conditions of `groups`, of which the first one has the index `start`, above those before it.
    mutating func append(_ groups: [RuleGroup], at start: Int) { append(.groups(groups), at: start) }

    private mutating func append(_ set: RuleSet, at start: Int) {
        sets.append(set)
        starts.append(Int32(truncatingIfNeeded: start))
    }

    /// The condition of this index, one of the program's.
    subscript(index: Int) -> RuleCondition {
        // A set without conditions starts where the next one does.
        let set = starts.indices.partitioningIndex { starts[$0] > index } - 1
        var place = index - Int(starts[set])
        switch sets[set] {
        case .tree(let tree, let adapter):
            return adapter.condition(of: tree.leaves[place])
        case .groups(let groups):
            for group in groups {
                if place < group.conditions.count { return group.conditions[place] }
                place -= group.conditions.count
            }
            return .null
        }
    }
}
