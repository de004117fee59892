internal import ConvertECMAScript

/// What evaluation reads of a ``RuleProgram``, which makes and frees it.
///
/// ``AttributeReader`` has the reason and the invariants.
struct RuleTables {
    let conditions: FrozenTable<ConditionRow>
    let comparisons: FrozenTable<ComparisonRow>
    let runs: FrozenTable<ComparisonRun>
    /// For each clause the index of its first condition, then the number of conditions.
    private let clauseStarts: FrozenTable<Int32>
    /// For each group the index of its first clause, then the number of clauses.
    private let groupStarts: FrozenTable<Int32>
    /// Texts of operands.
    let texts: FrozenTable<UInt8>
    /// Numbers of the texts in long lists.
    let listNumbers: FrozenTable<UInt32>
    let textNumbers: TextNumbers.Frozen
    /// The attribute names that conditions read.
    let slots: FrozenAttributeSlots.View
    /// What is read of each of them.
    let slotRows: FrozenTable<SlotRow>
    /// What attributes that conditions read take.
    let attributes: AttributeLayout
    let semantics: RuleSemantics
    private let owner: Unmanaged<RuleProgram>

    init(_ builder: RuleProgramBuilder, slots: FrozenAttributeSlots.View, verdictCount: Int, owner: RuleProgram) {
        let comparisons = ComparisonRuns(of: builder.comparisons, slotCount: builder.slots.count)
        conditions = FrozenTable(
            builder.conditions.map { condition in
                var condition = condition
                condition.comparison = comparisons.places[condition.comparison]
                return condition
            })
        self.comparisons = FrozenTable(comparisons.rows)
        runs = FrozenTable(comparisons.runs)
        clauseStarts = FrozenTable([0] + builder.clauseEnds)
        groupStarts = FrozenTable([0] + builder.groupEnds)
        texts = FrozenTable(builder.texts.bytes)
        listNumbers = FrozenTable(builder.listNumbers)
        textNumbers = TextNumbers.Frozen(builder.texts.numbers, texts: texts)
        self.slots = slots
        let numbers = textNumbers
        slotRows = FrozenTable(
            builder.slots.needs.enumerated().map { SlotRow($0, in: slots, needs: $1, numbers) })
        attributes = AttributeLayout(
            slots: slots.count, truths: min(comparisons.rows.count, Attributes.keptTruths), verdicts: verdictCount)
        semantics = builder.semantics
        self.owner = .passUnretained(owner)
    }

    /// Frees the tables.
    func deallocate() {
        conditions.deallocate()
        comparisons.deallocate()
        runs.deallocate()
        clauseStarts.deallocate()
        groupStarts.deallocate()
        texts.deallocate()
        listNumbers.deallocate()
        textNumbers.deallocate()
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

    /// The rule's value of the condition at `index`, as the config has it.
    func value(ofConditionAt index: UInt32) -> JSValue? { program.sources[Int(index)].value }
}
