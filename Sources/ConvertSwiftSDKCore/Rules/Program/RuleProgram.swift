internal import ConvertECMAScript
internal import ConvertValues

/// The groups and conditions of a rule set, as ranges in its program.
package struct CompiledRules: Sendable, BitwiseCopyable {
    let groups: TableRange
    let conditions: TableRange
    /// Whether any clause has no conditions.
    let hasEmptyClause: Bool
}

/// Compiled rule sets, in flat tables that never change.
package final class RuleProgram: Sendable {
    let conditions: Rows<ConditionRow>
    let comparisons: Rows<ComparisonRow>
    /// For each clause the index of its first condition; at the end the number of conditions.
    private let clauseStarts: Rows<Int32>
    /// For each group the index of its first clause; at the end the number of clauses.
    private let groupStarts: Rows<Int32>
    /// Numbers of the texts in long lists.
    let listNumbers: Rows<UInt32>
    let internedTexts: InternedTexts.Frozen
    /// The attribute names that conditions read.
    let slots: AttributeSlots
    /// The forms that conditions read, for each slot.
    let slotRows: Rows<SlotRow>
    /// The slots' names, one after the other.
    let slotNames: Rows<UInt8>
    /// The layout of the attributes that conditions read.
    let attributes: AttributeLayout
    let mobileValues: [MobileOperand]
    let patterns: [RegExp]
    /// The conditions as the rules have them, for rule data, explanations, warnings and values that are used
    /// unprepared.
    let originals: [RuleCondition]
    package let semantics: RuleSemantics

    /// - Parameter verdictCount: the number of rule sets whose verdicts can be cached with the attributes.
    init(_ compiler: consuming RuleCompiler, verdictCount: Int = 0) {
        conditions = Rows(compiler.conditions)
        comparisons = Rows(compiler.comparisons)
        clauseStarts = Rows([0] + compiler.clauseEnds)
        groupStarts = Rows([0] + compiler.groupEnds)
        listNumbers = Rows(compiler.tables.listNumbers)
        internedTexts = InternedTexts.Frozen(compiler.tables.texts)
        var names: [UInt8] = []
        slotRows = Rows(compiler.slots.rows(namedIn: &names))
        slotNames = Rows(names)
        attributes = AttributeLayout(
            slotCount: compiler.slots.count, truthCount: min(compiler.comparisons.count, Attributes.keptTruths),
            verdictCount: verdictCount)
        mobileValues = compiler.tables.mobileValues
        patterns = compiler.tables.patterns.compiled
        originals = compiler.originals
        semantics = compiler.semantics
        slots = compiler.slots
    }

    /// Index of the first clause of group `group`, and the index after its last.
    @inline(__always)
    func clauses(of group: Int) -> (Int, end: Int) { (Int(groupStarts[group]), Int(groupStarts[group &+ 1])) }

    /// Index of the first condition of clause `clause`, and the index after its last.
    @inline(__always)
    func conditions(of clause: Int) -> (Int, end: Int) { (Int(clauseStarts[clause]), Int(clauseStarts[clause &+ 1])) }
}
