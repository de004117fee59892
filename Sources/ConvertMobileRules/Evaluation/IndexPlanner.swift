internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Chooses what each rule is found by.
struct IndexPlanner {
    private struct SlotValue: Hashable {
        let slot: Int32
        let operand: MobileOperand
    }

    private let predicates: [Predicate]
    /// Per slot the number of different values that rules compare it with.
    private var variety: [Int]
    /// Per predicate the rules that it finds.
    private(set) var rules: [[Int32]]

    init(_ compiler: RuleCompiler) {
        predicates = compiler.predicates
        variety = Array(repeating: 0, count: compiler.slots.count)
        rules = Array(repeating: [], count: compiler.predicates.count)
        var seen: Set<SlotValue> = []
        for predicate in predicates where predicate.kind == .matcher && predicate.matcher == .equals {
            for operand in predicate.operands
            where seen.insert(SlotValue(slot: predicate.slot, operand: operand)).inserted {
                variety[Int(predicate.slot)] += 1
            }
        }
    }

    /// Notes what finds `rule`; `false` if nothing does, so that it is always a candidate.
    mutating func plan(_ node: RuleCompiler.Node, for rule: Int32) -> Bool {
        guard let choice = choose(node) else { return false }
        for predicate in choice.predicates where rules[Int(predicate)].last != rule {
            rules[Int(predicate)].append(rule)
        }
        return true
    }

    private typealias Choice = (share: Double, predicates: [Int32])

    /// The predicates one of which must hold for the node to hold, with the share of events that they are expected to find.
    private func choose(_ node: RuleCompiler.Node) -> Choice? {
        switch node {
        case .never:
            return (0, [])
        case .predicate(let number):
            return choose(number)
        case .all(let members):
            return members.compactMap(choose).min { $0.share < $1.share }
        case .any(let members):
            var all: Choice = (0, [])
            for member in members {
                guard let choice = choose(member) else { return nil }
                all.share += choice.share
                all.predicates += choice.predicates
            }
            return all
        }
    }

    private func choose(_ number: Int32) -> Choice? {
        let predicate = predicates[Int(number)]
        guard predicate.kind == .matcher, !predicate.isVolatile else { return nil }
        switch predicate.matcher {
        case .equals:
            // One more than rules name: events bring values that no rule asks for.
            return (Double(predicate.operands.count) / Double(variety[Int(predicate.slot)] + 1), [number])
        case .startsWith, .endsWith, .contains: return (0.3, [number])
        case .greater, .greaterOrEqual, .less, .lessOrEqual: return (0.5, [number])
        case .exists, .notExists: return (0.7, [number])
        case .notEquals, .notContains: return (0.9, [number])
        }
    }
}
