/// One `AND` block of a rule graph, flattened: its leaves in order, and the ends of its `OR_WHEN` clauses.
///
/// A set of groups matches if any group matches, a group if every clause matches, and a clause if any of its conditions
/// holds (all of them under ``RuleSemantics/flat``). An empty set, group or clause never matches.
package struct RuleGroup: Sendable, Equatable {
    /// The conditions of all clauses, in order.
    package private(set) var conditions: [RuleCondition] = []

    /// For each clause the index in `conditions` after its last condition.
    package private(set) var clauseEnds: [Int] = []

    package init(clauses: [[RuleCondition]] = []) {
        for clause in clauses { append(clause) }
    }

    mutating func append(_ clause: some Sequence<RuleCondition>) {
        conditions.append(contentsOf: clause)
        clauseEnds.append(conditions.count)
    }

    /// The clauses, each with its conditions.
    package var clauses: [ArraySlice<RuleCondition>] {
        clauseEnds.indices.map { conditions[($0 == 0 ? 0 : clauseEnds[$0 - 1])..<clauseEnds[$0]] }
    }
}
