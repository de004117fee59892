internal import ConvertECMAScript

/// A condition with its operator resolved and its operand prepared. Trivial, so that reading one counts no references.
struct PreparedCondition: Sendable {
    /// What happens before any comparison.
    enum Action: UInt8, Sendable {
        /// Compare.
        case compare
        /// A defect: never holds.
        case never
        /// A `null`: the reference throws.
        case malformed
    }

    var action: Action
    var comparison: ComparisonOperator
    var negation: Bool
    /// What an absent attribute gives, negation included; `nil` if it is compared as an empty text.
    var whenAbsent: Bool?
    /// The attribute's slot; -1 if the condition names none.
    var slot: Int32
    /// Index of the condition in the program.
    var source: Int32
    /// The rule's side.
    var operand = PreparedOperand()
}

/// The rule's side of a comparison in the form that its operator reads.
struct PreparedOperand: Sendable {
    var kind = AttributeKind.undefined
    /// Whether it counts as a number.
    var isNumeric = false
    /// Whether it is text of nothing but white space, which every text contains.
    var isBlank = false
    var number = 0.0
    /// Its text in the program's pool, lowercased where the operator compares so.
    var text = PoolRange()
    /// Range in the program's lists, patterns or mobile operands.
    var list = PoolRange()
}

/// Where a rule set's groups lie in its program.
package struct CompiledRules: Sendable {
    var groups: Range<Int>
}

/// Every rule graph of a config, compiled: flat arrays that evaluation walks without touching JSON, text or reference
/// counts. Immutable.
package final class RuleProgram: Sendable {
    let conditions: [PreparedCondition]
    /// For each clause the index behind its last condition.
    let clauseEnds: [Int32]
    /// For each group the index behind its last clause.
    let groupEnds: [Int32]
    /// Texts of operands.
    let pool: [UInt8]
    /// Texts of list operands, sorted within each list.
    let lists: [PoolRange]
    let mobileOperands: [MobileOperand]
    let patterns: [RegExp]
    /// The conditions as the config has them, for rule data, for explaining and for operands of rare shapes.
    let sources: [RuleCondition]
    package let attributes: AttributeTable
    package let semantics: RuleSemantics

    init(_ compiler: RuleCompiler) {
        // Copied one by one into arrays that have no room to grow.
        conditions = compiler.conditions.map { $0 }
        clauseEnds = compiler.clauseEnds.map { $0 }
        groupEnds = compiler.groupEnds.map { $0 }
        pool = compiler.pool.map { $0 }
        lists = compiler.lists.map { $0 }
        mobileOperands = compiler.mobileOperands
        patterns = compiler.patterns.compiled
        sources = compiler.sources.map { $0 }
        attributes = compiler.attributes
        semantics = compiler.semantics
    }

    /// Indices of the clauses of group `group`.
    func clauses(of group: Int) -> Range<Int> {
        (group == 0 ? 0 : Int(groupEnds[group - 1]))..<Int(groupEnds[group])
    }

    /// Indices of the conditions of clause `clause`.
    func conditions(of clause: Int) -> Range<Int> {
        (clause == 0 ? 0 : Int(clauseEnds[clause - 1]))..<Int(clauseEnds[clause])
    }
}
