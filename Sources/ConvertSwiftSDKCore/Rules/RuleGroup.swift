public import ConvertECMAScript

/// One `AND` block of a rule graph, flattened: its leaves in order, and where each `OR_WHEN` clause ends.
///
/// A set of groups passes if any group passes, a group if every clause does, a clause if any of its conditions does
/// (all of them under ``RuleSemantics/flat``). An empty set, group or clause never passes.
package struct RuleGroup: Sendable, Equatable {
    /// The conditions of all clauses, in order.
    package let conditions: [RuleCondition]

    /// For each clause the index into `conditions` behind its last one.
    package let clauseEnds: [Int]

    /// A group of `clauses`.
    package init(clauses: [[RuleCondition]]) {
        conditions = clauses.flatMap { $0 }
        var end = 0
        clauseEnds = clauses.map { clause in
            end += clause.count
            return end
        }
    }

    /// A group of clauses that end at `clauseEnds`.
    init(conditions: [RuleCondition], clauseEnds: [Int]) {
        self.conditions = conditions
        self.clauseEnds = clauseEnds
    }

    /// The clauses, each with its conditions.
    package var clauses: [ArraySlice<RuleCondition>] {
        clauseEnds.indices.map { conditions[($0 == 0 ? 0 : clauseEnds[$0 - 1])..<clauseEnds[$0]] }
    }
}

/// One comparison of an attribute with a rule's value.
public struct RuleCondition: Sendable, Equatable {
    /// Why a condition never holds, whatever the attribute.
    public enum Defect: Sendable, Hashable {
        /// It is incomplete, or names an operator that is not known. It is never negated.
        case invalid(String)
        /// A `null` stands in its place or in its `matching`. The reference throws when it gets here.
        case null
    }

    /// The attribute's name; `nil` if the condition names none, and then the attribute is always absent. It has U+FFFD where
    /// Swift text cannot hold it.
    public var key: String? { attribute?.text }

    /// The attribute's name as it is looked up.
    package let attribute: PropertyKey?

    /// The operator as it stands on the wire, such as `equals`; empty if there is none.
    public let matchType: String

    /// The rule's side of the comparison; `nil` if the leaf has none.
    public let value: JSValue?

    /// Whether the result is inverted.
    public let negation: Bool

    /// The rule's family, such as `generic_text_key_value`, which ``RuleData`` is asked by.
    public let ruleType: String?

    /// Why it never holds; `nil` for a sound condition.
    public let defect: Defect?

    /// A sound condition.
    public init(key: String?, matchType: String, value: JSValue?, negation: Bool = false, ruleType: String? = nil) {
        self.init(
            attribute: key.map { PropertyKey($0) }, matchType: matchType, value: value, negation: negation,
            ruleType: ruleType, defect: nil)
    }

    init(
        attribute: PropertyKey?, matchType: String, value: JSValue?, negation: Bool, ruleType: String?, defect: Defect?
    ) {
        self.attribute = attribute
        self.matchType = matchType
        self.value = value
        self.negation = negation
        self.ruleType = ruleType
        self.defect = defect
    }

    /// What stands for a `null`.
    static let null = RuleCondition(
        attribute: nil, matchType: "", value: nil, negation: false, ruleType: nil, defect: .null)
}

/// What evaluation does with a condition under certain semantics.
enum RuleAction: Sendable {
    case compare(Operation)
    /// A defect: it never holds, negated or not.
    case never
    /// A `null`: the reference throws.
    case null
}
