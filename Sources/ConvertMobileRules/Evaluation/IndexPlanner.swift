internal import ConvertECMAScript
internal import ConvertValues

/// Chooses the predicates through which each rule is found.
struct IndexPlanner {
    private let nodes: [RuleNode]
    /// Per comparison, the share of events for which it is expected to hold, or `nil` if it cannot be used to find
    /// rules.
    private let shares: [Double?]
    /// Predicates with the rules that they find. Each pair occurs once; rules are ascending.
    private(set) var finds: [(key: Int32, value: Int32)] = []
    /// Per predicate, the last rule for which it was recorded.
    private var lastFound: [Int32]
    /// The predicates chosen so far for the current rule.
    private var chosen: [Int32] = []

    init(_ compiler: borrowing RuleCompiler, _ comparisons: [MobileComparison]) {
        nodes = compiler.nodes
        shares = comparisons.map { compiler.isVolatile($0.slot) ? nil : Self.share($0) }
        lastFound = Array(repeating: -1, count: comparisons.count)
        finds.reserveCapacity(compiler.roots.count)
    }

    /// Records the predicates that find `rule`, whose node is at `root`. Returns `false` if there are no such
    /// predicates; the rule is then always a candidate.
    mutating func plan(_ root: Int, for rule: Int32) -> Bool {
        chosen.removeAll(keepingCapacity: true)
        if choose(root) == nil { return false }
        for predicate in chosen where lastFound[Int(predicate)] != rule {
            lastFound[Int(predicate)] = rule
            finds.append((predicate, rule))
        }
        return true
    }

    /// Appends predicates to `chosen`, one of which must hold for the node to hold, and returns the share of events
    /// that they are expected to find. Returns `nil` and appends nothing if there are no such predicates.
    private mutating func choose(_ place: Int) -> Double? {
        let node = nodes[place]
        switch node.kind {
        case .never:
            return 0
        case .historical:
            return nil
        case .comparison:
            guard let share = shares[Int(node.number)] else { return nil }
            chosen.append(node.number)
            return share
        case .all, .any:
            let start = chosen.count
            let end = place + Int(node.span)
            var member = place + 1
            var least: Double?
            var sum = 0.0
            while member < end {
                let mark = chosen.count
                let share = choose(member)
                member += Int(nodes[member].span)
                if node.kind == .all {
                    guard let share else { continue }
                    if least.map({ share < $0 }) ?? true {
                        chosen.removeSubrange(start..<mark)
                        least = share
                    } else {
                        chosen.removeSubrange(mark...)
                    }
                } else if let share {
                    sum += share
                } else {
                    chosen.removeSubrange(start...)
                    return nil
                }
            }
            return node.kind == .all ? least : sum
        }
    }

    private static func share(_ comparison: MobileComparison) -> Double {
        switch comparison.matcher {
        // One more than the number of values in rules, because events also have values that no rule names.
        case .equals: Double(comparison.operandCount) / Double(comparison.variety + 1)
        case .startsWith, .endsWith, .contains: 0.3
        case .greater, .greaterOrEqual, .less, .lessOrEqual: 0.5
        case .exists, .notExists: 0.7
        case .notEquals, .notContains: 0.9
        }
    }
}
