internal import ConvertECMAScript

/// A condition with its operator resolved and its operand prepared. Trivial, so that reading one counts no references,
/// and half a cache line, since a decision walks hundreds.
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

    /// The rule's side.
    var operand = PreparedOperand()
    /// The attribute's slot; -1 if the condition names none.
    var slot: Int32 = -1
    var action = Action.compare
    var `operator`: ComparisonOperator
    var negation: Bool
    /// What an absent attribute gives, negation included; `nil` if it is compared as an empty text.
    var whenAbsent: Bool? = false
}

/// The rule's side of a comparison in the form that its operator reads.
struct PreparedOperand: Sendable {
    var number = 0.0
    /// What the operator reads, in the pool that it reads: its text, lowercased where the operator compares so, or the items
    /// of its list, or its mobile operands.
    var range = PoolRange()
    /// Index of its pattern.
    var pattern: Int32 = -1
    var kind = AttributeKind.undefined
    /// Whether it counts as a number.
    var isNumeric = false
    /// Whether it is text of nothing but white space, which every text contains.
    var isBlank = false
}

/// Where a rule set's groups lie in its program.
package struct CompiledRules: Sendable {
    var groups: Range<Int>
}

/// Every rule graph of a config, compiled: flat arrays that evaluation walks without touching JSON, text or reference
/// counts. Immutable.
package final class RuleProgram: Sendable {
    let conditions: [PreparedCondition]
    /// For each clause the index of its first condition, then the number of conditions.
    let clauseStarts: [Int32]
    /// For each group the index of its first clause, then the number of clauses.
    let groupStarts: [Int32]
    /// Texts of operands.
    let pool: [UInt8]
    /// Texts of list operands, sorted within each list.
    let lists: [PoolRange]
    let mobileOperands: [MobileOperand]
    let patterns: [RegExp]
    /// The conditions as the config has them, for rule data, for explaining and for operands of rare shapes.
    let sources: [RuleCondition]
    /// The attribute names that conditions read; lives as long as the program does.
    let attributes: FrozenAttributeTable.View
    private let ownedAttributes: FrozenAttributeTable
    package let semantics: RuleSemantics

    init(_ compiler: RuleCompiler) {
        // Copied one by one into arrays that have no room to grow.
        conditions = compiler.conditions.map { $0 }
        clauseStarts = [0] + compiler.clauseEnds
        groupStarts = [0] + compiler.groupEnds
        pool = compiler.pool.map { $0 }
        lists = compiler.lists.map { $0 }
        mobileOperands = compiler.mobileOperands
        patterns = compiler.patterns.compiled
        sources = compiler.sources.map { $0 }
        ownedAttributes = FrozenAttributeTable(compiler.attributes)
        attributes = ownedAttributes.view
        semantics = compiler.semantics
    }
}
