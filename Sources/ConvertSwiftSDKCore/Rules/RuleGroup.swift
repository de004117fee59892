/// One `AND` block of a rule graph, flattened: its leaves in order, and where each `OR_WHEN` clause ends.
///
/// A set of groups passes if any group passes, a group if every clause does, a clause if any of its conditions does
/// (all of them under ``RuleSemantics/flat``). An empty set, group or clause never passes.
package struct RuleGroup: Sendable, Equatable {
    /// The conditions of all clauses, in order.
    package private(set) var conditions: [RuleCondition] = []

    /// For each clause the index into `conditions` behind its last one.
    package private(set) var clauseEnds: [Int] = []

    /// A group of `clauses`.
    package init(clauses: [[RuleCondition]] = []) {
        for clause in clauses { append(clause) }
    }

    /// Appends a clause.
    mutating func append(_ clause: some Sequence<RuleCondition>) {
        conditions.append(contentsOf: clause)
        clauseEnds.append(conditions.count)
    }

    /// The clauses, each with its conditions.
    package var clauses: [ArraySlice<RuleCondition>] {
        clauseEnds.indices.map { conditions[($0 == 0 ? 0 : clauseEnds[$0 - 1])..<clauseEnds[$0]] }
    }
}
