internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Turns conditions into predicates and steps.
struct RuleCompiler {
    /// A condition with its predicates resolved and its impossible parts folded away.
    enum Node {
        case never
        case predicate(Int32)
        case all([Node])
        case any([Node])
    }

    private struct MatcherIdentity: Hashable {
        let slot: Int32
        let matcher: MobileMatcher
        let operands: [MobileOperand]
    }

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
    private(set) var slots: [KeyReference] = []
    private(set) var dataSlots: [PropertyKey: Int32] = [:]
    private(set) var predicates: [Predicate] = []
    private(set) var historicals: [Condition.Historical] = []
    private(set) var steps: [Step] = []
    /// The rules' conditions, for the index.
    private(set) var nodes: [Node] = []

    private var slotsByKey: [KeyReference: Int32] = [:]
    private var predicatesByIdentity: [MatcherIdentity: Int32] = [:]
    private var historicalsByIdentity: [HistoricalIdentity: Int32] = [:]
    /// The value that is not there, in the forms that matchers have asked for.
    private var missing = MobileValue(nil)

    /// A compiler of about `ruleCount` rules.
    init(semantics: MobileRulesSemantics, ruleCount: Int) {
        self.semantics = semantics
        nodes.reserveCapacity(ruleCount)
        predicatesByIdentity.reserveCapacity(ruleCount)
    }

    mutating func compile(_ rule: MobileRule) -> CompiledRule {
        let node = node(rule.condition) ?? .never
        nodes.append(node)
        return CompiledRule(
            entry: emit(node, onTrue: Step.holds, onFalse: Step.fails), rule: rule,
            consequences: rule.consequences.map(ConsequenceTemplate.init))
    }

    /// The node of a condition, or `nil` if it vanishes.
    private mutating func node(_ condition: Condition) -> Node? {
        switch condition {
        case .unusable: return semantics == .standard ? .never : nil
        case .matcher(let matcher): return node(matcher)
        case .historical(let historical): return .predicate(predicate(historical))
        case .group(let group):
            var members: [Node] = []
            members.reserveCapacity(group.conditions.count)
            for condition in group.conditions {
                if let member = node(condition) { members.append(member) }
            }
            if members.isEmpty { return nil }
            switch group.logic {
            case .and: return members.contains { $0.isNever } ? .never : .all(members)
            case .or:
                members.removeAll(where: \.isNever)
                return members.isEmpty ? .never : .any(members)
            case .unknown: return .never
            }
        }
    }

    private mutating func node(_ matcher: Condition.Matcher) -> Node? {
        let operands = matcher.operands
        if operands.isEmpty { return semantics == .standard ? .never : nil }
        // "None of these" holds more often when some of these are left out.
        if semantics == .standard, matcher.comparison.needsAllOperands, operands.count < matcher.values.count {
            return .never
        }
        let key = KeyReference(matcher.key)
        let slot = slot(of: key)
        let identity = MatcherIdentity(slot: slot, matcher: matcher.comparison, operands: operands)
        let isVolatile = key == .cacheBuster
        let index = Int32(predicates.count)
        if !isVolatile {
            if let known = predicatesByIdentity[identity] { return .predicate(known) }
            predicatesByIdentity[identity] = index
        }
        predicates.append(
            Predicate(
                kind: .matcher, slot: slot, matcher: matcher.comparison, operands: operands[...],
                whenMissing: matcher.comparison.matches(&missing, operands[...]), isVolatile: isVolatile))
        return .predicate(index)
    }

    private mutating func predicate(_ historical: Condition.Historical) -> Int32 {
        let identity = HistoricalIdentity(historical)
        if let known = historicalsByIdentity[identity] { return known }
        let index = Int32(predicates.count)
        historicals.append(historical)
        predicates.append(
            Predicate(
                kind: .historical(historicals.count - 1), slot: -1, matcher: historical.comparison, operands: [],
                whenMissing: false, isVolatile: false))
        historicalsByIdentity[identity] = index
        return index
    }

    private mutating func slot(of key: KeyReference) -> Int32 {
        if let known = slotsByKey[key] { return known }
        let slot = Int32(slots.count)
        slots.append(key)
        slotsByKey[key] = slot
        if case .data(let name) = key { dataSlots[name] = slot }
        return slot
    }

    /// Appends the steps of `node`, last ones first, and returns where they begin.
    private mutating func emit(_ node: Node, onTrue: Int32, onFalse: Int32) -> Int32 {
        switch node {
        case .never: return onFalse
        case .predicate(let predicate):
            steps.append(Step(predicate: predicate, onTrue: onTrue, onFalse: onFalse))
            return Int32(steps.count - 1)
        case .all(let members):
            return members.reversed().reduce(onTrue) { emit($1, onTrue: $0, onFalse: onFalse) }
        case .any(let members):
            return members.reversed().reduce(onFalse) { emit($1, onTrue: onTrue, onFalse: $0) }
        }
    }
}

extension RuleCompiler.Node {
    var isNever: Bool {
        if case .never = self { true } else { false }
    }
}
