internal import ConvertECMAScript
internal import ConvertValues

/// Compiles conditions to predicates and steps.
struct RuleCompiler: ~Copyable {
    private struct HistoricalIdentity: Hashable {
        let fingerprints: [EventFingerprint]
        let searchType: Condition.Historical.SearchType
        let from: Int64?
        let to: Int64?
        let comparison: MobileMatcher
        let value: Int

        init(_ condition: Condition.Historical) {
            fingerprints = condition.fingerprints
            searchType = condition.searchType
            from = condition.from
            to = condition.to
            comparison = condition.comparison
            value = condition.value
        }
    }

    let semantics: MobileRulesSemantics
    /// The keys that comparisons read.
    private(set) var slots: [KeyReference] = []
    /// The keys as written in the rules, by slot.
    private(set) var names = KeyTable()
    private var comparisons = MobileProgramBuilder()
    private(set) var historicals: [Condition.Historical] = []
    private(set) var steps: [Step] = []
    /// The first step of each rule.
    private(set) var entries: [Int32] = []
    /// The nodes of the rules' conditions, for the index.
    private(set) var nodes: [RuleNode] = []
    /// The first node of each rule.
    private(set) var roots: [Int] = []

    private var historicalsByIdentity: [HistoricalIdentity: Int32] = [:]

    /// Creates a compiler for about `ruleCount` rules.
    init(semantics: MobileRulesSemantics, ruleCount: Int) {
        self.semantics = semantics
        entries.reserveCapacity(ruleCount)
        roots.reserveCapacity(ruleCount)
    }

    mutating func compile(_ condition: Condition) {
        let root = nodes.count
        if !append(condition) { nodes.append(RuleNode(kind: .never)) }
        roots.append(root)
        if nodes[root].kind == .never { return entries.append(Step.fails) }
        entries.append(Int32(steps.count))
        emit(root, onTrue: Step.holds, onFalse: Step.fails)
    }

    /// The properties of the comparisons, by number.
    var shapes: [MobileComparison] { comparisons.shapes }

    /// Returns the compiled comparisons. No comparison may be added afterwards.
    mutating func takeComparisons() -> MobileProgram {
        var taken = MobileProgramBuilder()
        swap(&taken, &comparisons)
        return MobileProgram(taken)
    }

    /// Whether the key of `slot` has a new value at each reading.
    func isVolatile(_ slot: Int) -> Bool { slots[slot] == .cacheBuster }

    // MARK: Nodes

    /// Appends the nodes of a condition; `false` if the condition is removed.
    private mutating func append(_ condition: Condition) -> Bool {
        switch condition {
        case .unusable: return appendUnusable()
        case .matcher(let matcher): return append(matcher)
        case .historical(let historical): return append(historical)
        case .group(let group): return append(group)
        }
    }

    private mutating func appendUnusable() -> Bool {
        if semantics == .standard { nodes.append(RuleNode(kind: .never)) }
        return semantics == .standard
    }

    private mutating func append(_ group: Condition.Group) -> Bool {
        let start = nodes.count
        nodes.append(RuleNode(kind: group.logic == .and ? .all : .any, leaves: 0))
        var isEmpty = true
        for condition in group.conditions {
            let place = nodes.count
            guard append(condition) else { continue }
            isEmpty = false
            guard nodes[place].kind == .never else {
                nodes[start].leaves += nodes[place].leaves
                continue
            }
            nodes.removeLast()
            if group.logic == .and {
                nodes.removeLast(nodes.count - start - 1)
                break
            }
        }
        let holds: Bool =
            switch group.logic {
            case .and, .or: nodes.count > start + 1
            case .unknown: false
            }
        if !holds {
            nodes.removeLast(nodes.count - start)
            if !isEmpty { nodes.append(RuleNode(kind: .never)) }
            return !isEmpty
        }
        nodes[start].span = Int32(nodes.count - start)
        return true
    }

    private mutating func append(_ matcher: Condition.Matcher) -> Bool {
        let count = MobileOperand.count(in: matcher.values, for: matcher.comparison)
        if count == 0 { return appendUnusable() }
        // A matcher that all values must meet, such as `ne`, holds more often if some of its values are left out.
        if semantics == .standard, matcher.comparison.needsAllOperands, count < matcher.values.count {
            nodes.append(RuleNode(kind: .never))
            return true
        }
        let slot = slot(of: matcher.key)
        let number = comparisons.comparison(
            matcher.comparison, of: slot, with: matcher.values, isShared: !isVolatile(slot))
        nodes.append(RuleNode(kind: .comparison, number: Int32(number)))
        return true
    }

    private mutating func append(_ historical: Condition.Historical) -> Bool {
        let identity = HistoricalIdentity(historical)
        let number = historicalsByIdentity[identity] ?? Int32(historicals.count)
        if number == historicals.count {
            historicals.append(historical)
            historicalsByIdentity[identity] = number
        }
        nodes.append(RuleNode(kind: .historical, number: number))
        return true
    }

    private mutating func slot(of name: String) -> Int {
        let key = PropertyKey(name)
        if let known = names.index(of: key) { return known }
        slots.append(KeyReference(name))
        comparisons.addSlot()
        return names.append(key)
    }

    // MARK: Steps

    /// Appends the steps of the node at `place`, one for each of its leaves.
    private mutating func emit(_ place: Int, onTrue: Int32, onFalse: Int32) {
        let node = nodes[place]
        switch node.kind {
        case .never: return
        case .comparison: steps.append(Step(predicate: node.number, onTrue: onTrue, onFalse: onFalse))
        case .historical: steps.append(Step(historical: node.number, onTrue: onTrue, onFalse: onFalse))
        case .all, .any:
            let end = place + Int(node.span)
            var member = place + 1
            while member < end {
                let next = member + Int(nodes[member].span)
                let following = Int32(steps.count) + nodes[member].leaves
                if next == end {
                    emit(member, onTrue: onTrue, onFalse: onFalse)
                } else if node.kind == .all {
                    emit(member, onTrue: following, onFalse: onFalse)
                } else {
                    emit(member, onTrue: onTrue, onFalse: following)
                }
                member = next
            }
        }
    }
}
