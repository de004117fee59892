internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Chooses what each rule is found by.
struct IndexPlanner {
    /// A value that a slot is compared with.
    struct Equality: Hashable {
        let slot: Int32
        let operand: MobileOperand
    }

    private let predicates: [Predicate]
    /// Per slot the number of different values that rules compare it with.
    private var variety: [Int]
    /// Predicates with the rules that they find, each pair once, rules ascending.
    private(set) var finds: [(predicate: Int32, rule: Int32)] = []
    /// Per predicate the last rule that it was noted to find.
    private var lastFound: [Int32]
    /// Per value that some slot is asked to equal, the predicates that ask.
    private(set) var equalities: [Equality: [Int32]] = [:]
    /// The predicates of the choice that is being made.
    private var chosen: [Int32] = []

    init(_ compiler: RuleCompiler) {
        predicates = compiler.predicates
        variety = Array(repeating: 0, count: compiler.slots.count)
        lastFound = Array(repeating: -1, count: compiler.predicates.count)
        for (number, predicate) in predicates.enumerated() where predicate.isLookedUp {
            for operand in predicate.operands {
                equalities[Equality(slot: predicate.slot, operand: operand), default: []].append(Int32(number))
            }
        }
        for equality in equalities.keys { variety[Int(equality.slot)] += 1 }
    }

    /// Notes what finds `rule`; `false` if nothing does, so that it is always a candidate.
    mutating func plan(_ node: RuleCompiler.Node, for rule: Int32) -> Bool {
        chosen.removeAll(keepingCapacity: true)
        if choose(node) == nil { return false }
        for predicate in chosen where lastFound[Int(predicate)] != rule {
            lastFound[Int(predicate)] = rule
            finds.append((predicate, rule))
        }
        return true
    }

    /// Appends to `chosen` the predicates one of which must hold for the node to hold, and returns the share of events that
    /// they are expected to find; `nil`, with nothing appended, if there are none.
    private mutating func choose(_ node: RuleCompiler.Node) -> Double? {
        let start = chosen.count
        switch node {
        case .never:
            return 0
        case .predicate(let number):
            guard let share = share(number) else { return nil }
            chosen.append(number)
            return share
        case .all(let members):
            var least: Double?
            for member in members {
                let mark = chosen.count
                guard let share = choose(member) else { continue }
                if least.map({ share < $0 }) ?? true {
                    chosen.removeSubrange(start..<mark)
                    least = share
                } else {
                    chosen.removeSubrange(mark...)
                }
            }
            return least
        case .any(let members):
            var sum = 0.0
            for member in members {
                guard let share = choose(member) else {
                    chosen.removeSubrange(start...)
                    return nil
                }
                sum += share
            }
            return sum
        }
    }

    /// The share of events for which a predicate is expected to hold, or `nil` for one that finds nothing.
    private func share(_ number: Int32) -> Double? {
        let predicate = predicates[Int(number)]
        guard predicate.kind == .matcher, !predicate.isVolatile else { return nil }
        switch predicate.matcher {
        case .equals:
            // One more than rules name: events bring values that no rule asks for.
            return Double(predicate.operands.count) / Double(variety[Int(predicate.slot)] + 1)
        case .startsWith, .endsWith, .contains: return 0.3
        case .greater, .greaterOrEqual, .less, .lessOrEqual: return 0.5
        case .exists, .notExists: return 0.7
        case .notEquals, .notContains: return 0.9
        }
    }
}
