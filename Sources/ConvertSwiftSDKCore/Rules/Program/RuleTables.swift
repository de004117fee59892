internal import ConvertECMAScript

/// What evaluation reads of a ``RuleProgram``, which makes and frees it.
///
/// ``AttributeReader`` has the reason and the invariants.
struct RuleTables {
    let conditions: FrozenTable<ConditionRow>
    let comparisons: FrozenTable<ComparisonRow>
    /// For each clause the index of its first condition, then the number of conditions.
    private let clauseStarts: FrozenTable<Int32>
    /// For each group the index of its first clause, then the number of clauses.
    private let groupStarts: FrozenTable<Int32>
    /// Numbers of the texts in long lists.
    let listNumbers: FrozenTable<UInt32>
    let internedTexts: InternedTexts.Frozen
    /// Whether attribute names count their case.
    let namesAreCaseSensitive: Bool
    /// The names of attributes that conditions read, one after the other.
    let slotNames: FrozenTable<UInt8>
    /// What is read of each of them.
    let slotRows: FrozenTable<SlotRow>
    /// What attributes that conditions read take.
    let attributes: AttributeLayout
    let semantics: RuleSemantics
    private let owner: Unmanaged<RuleProgram>

    init(_ compiler: RuleCompiler, verdictCount: Int, owner: RuleProgram) {
        conditions = FrozenTable(compiler.conditions)
        comparisons = FrozenTable(compiler.comparisons)
        clauseStarts = FrozenTable([0] + compiler.clauseEnds)
        groupStarts = FrozenTable([0] + compiler.groupEnds)
        listNumbers = FrozenTable(compiler.tables.listNumbers)
        internedTexts = InternedTexts.Frozen(compiler.tables.texts)
        namesAreCaseSensitive = compiler.slots.isCaseSensitive
        var names: [UInt8] = []
        slotRows = FrozenTable(compiler.slots.rows(namedIn: &names))
        slotNames = FrozenTable(names)
        attributes = AttributeLayout(
            slots: compiler.slots.count, truths: min(compiler.comparisons.count, Attributes.keptTruths),
            verdicts: verdictCount)
        semantics = compiler.semantics
        self.owner = .passUnretained(owner)
    }

    /// Frees the tables.
    func deallocate() {
        conditions.deallocate()
        comparisons.deallocate()
        clauseStarts.deallocate()
        groupStarts.deallocate()
        listNumbers.deallocate()
        internedTexts.deallocate()
        slotNames.deallocate()
        slotRows.deallocate()
    }

    /// The program, for the rare operands that are counted.
    var program: RuleProgram { owner.takeUnretainedValue() }

    /// Index of the first clause of group `group`, and the index behind its last.
    @inline(__always)
    func clauses(of group: Int) -> (Int, end: Int) {
        (Int(groupStarts[group]), Int(groupStarts[group &+ 1]))
    }

    /// Index of the first condition of clause `clause`, and the index behind its last.
    @inline(__always)
    func conditions(of clause: Int) -> (Int, end: Int) {
        (Int(clauseStarts[clause]), Int(clauseStarts[clause &+ 1]))
    }
}
