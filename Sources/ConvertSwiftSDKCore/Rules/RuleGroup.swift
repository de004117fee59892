/// One `AND` block of a rule graph: its `OR_WHEN` clauses, each with its conditions.
///
/// A set of groups matches if any group matches, a group if every clause matches, and a clause if any of its conditions
/// holds (all of them under ``RuleSemantics/flat``). An empty set, group or clause never matches.
package struct RuleGroup: Sendable, Equatable {
    package let clauses: [[RuleCondition]]

    package init(clauses: [[RuleCondition]]) { self.clauses = clauses }
}
