internal import ConvertECMAScript
internal import ConvertValues

/// Where a rule set's groups and conditions lie in its program.
package struct CompiledRules: Sendable, BitwiseCopyable {
    let groups: TableRange
    let conditions: TableRange
    /// Whether some clause has no condition.
    let hasEmptyClause: Bool

    /// A rule set without groups, which never matches.
    static let empty = CompiledRules(groups: TableRange(), conditions: TableRange(), hasEmptyClause: false)
}

/// Rule sets, compiled: flat tables that evaluation walks without touching JSON, text or reference counts. Immutable.
package final class RuleProgram: Sendable {
    let conditions: Rows<ConditionRow>
    let comparisons: Rows<ComparisonRow>
    /// For each clause the index of its first condition, then the number of conditions.
    private let clauseStarts: Rows<Int32>
    /// For each group the index of its first clause, then the number of clauses.
    private let groupStarts: Rows<Int32>
    /// Numbers of the texts in long lists.
    let listNumbers: Rows<UInt32>
    let internedTexts: InternedTexts.Frozen
    /// The attribute names that conditions read.
    let slots: AttributeSlots
    /// What is read of each of them.
    let slotRows: Rows<SlotRow>
    /// Their names, one after the other.
    let slotNames: Rows<UInt8>
    /// What attributes that conditions read take.
    let attributes: AttributeLayout
    let mobileValues: [MobileOperand]
    let patterns: [RegExp]
    /// The conditions as the rules have them, for rule data, explanations, warnings and values of rare shapes.
    let originals: [RuleCondition]
    package let semantics: RuleSemantics

    /// - Parameter verdictCount: of how many rule sets the verdict can be remembered with the attributes.
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
            slots: compiler.slots.count, truths: min(compiler.comparisons.count, Attributes.keptTruths),
            verdicts: verdictCount)
        mobileValues = compiler.tables.mobileValues
        patterns = compiler.tables.patterns.compiled
        originals = compiler.originals
        semantics = compiler.semantics
        slots = compiler.slots
    }

    /// Whether a `null` stands in place of some condition.
    var hasNulls: Bool { comparisons.elements.contains { $0.operand == .null } }

    /// The slot of the attribute that the condition at `index` reads.
    func slot(ofConditionAt index: Int) -> Int { Int(comparisons[conditions[index].comparison].slot) }

    /// Index of the first clause of group `group`, and the index behind its last.
    @inline(__always)
    func clauses(of group: Int) -> (Int, end: Int) { (Int(groupStarts[group]), Int(groupStarts[group &+ 1])) }

    /// Index of the first condition of clause `clause`, and the index behind its last.
    @inline(__always)
    func conditions(of clause: Int) -> (Int, end: Int) { (Int(clauseStarts[clause]), Int(clauseStarts[clause &+ 1])) }
}
