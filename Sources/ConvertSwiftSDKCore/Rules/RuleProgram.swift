internal import ConvertECMAScript
internal import ConvertValues

/// Where a rule set's groups and conditions lie in its program.
package struct CompiledRules: Sendable, BitwiseCopyable {
    /// How groups and clauses are made up.
    enum Shape: UInt8, Sendable {
        /// There is no condition at all.
        case empty
        /// Some clause has no condition.
        case irregular
        /// Each clause of each group has one condition.
        case conjunctions
        /// All others.
        case clauses
    }

    private let groupRange: TableRange
    private let conditionRange: TableRange
    let shape: Shape

    init(groups: Range<Int>, conditions: Range<Int>, shape: Shape) {
        groupRange = TableRange(start: groups.lowerBound, count: groups.count)
        conditionRange = TableRange(start: conditions.lowerBound, count: conditions.count)
        self.shape = shape
    }

    @inline(__always)
    var groups: Range<Int> { groupRange.indices }

    @inline(__always)
    var conditions: TableRange { conditionRange }
}

/// Every rule graph of a config, compiled: flat tables that evaluation walks without touching JSON, text or reference
/// counts. Immutable.
///
/// The tables are bare memory, which nobody writes and which is to be used only while the program lives.
package final class RuleProgram: Sendable {
    nonisolated(unsafe) let tables: UnsafePointer<RuleTables>
    let mobileOperands: [MobileOperand]
    let patterns: [RegExp]
    /// The conditions as the config has them, for rule data, for explaining and for operands of rare shapes.
    let sources: RuleSources
    private let slots: FrozenAttributeSlots

    /// - Parameter verdictCount: of how many rule sets the verdict can be remembered with the attributes.
    init(_ builder: RuleProgramBuilder, verdictCount: Int = 0) {
        mobileOperands = builder.mobileOperands
        patterns = builder.patterns.compiled
        sources = builder.sources
        slots = FrozenAttributeSlots(builder.slots)
        let tables = UnsafeMutablePointer<RuleTables>.allocate(capacity: 1)
        self.tables = UnsafePointer(tables)
        tables.initialize(to: RuleTables(builder, slots: slots.view, verdictCount: verdictCount, owner: self))
    }

    deinit {
        tables.pointee.deallocate()
        tables.deallocate()
    }

    package var semantics: RuleSemantics { tables.pointee.semantics }

    /// Whether a `null` stands in place of some condition.
    var hasNulls: Bool { tables.pointee.comparisons.contains { $0.kind == .null } }

    /// The slot of the attribute that the condition at `index` reads.
    func slot(ofConditionAt index: Int) -> Int {
        Int(tables.pointee.comparisons[tables.pointee.conditions[index].comparison].slot)
    }

    /// Whether so many decisions make it worth to sweep: all conditions are read then, those that no decision needs too.
    func isWorthSweeping(forDecisions count: Int) -> Bool {
        count >= 8 && tables.pointee.conditions.count <= 32 * count
            && tables.pointee.comparisons.count <= Attributes.keptTruths
    }

    /// Matches a rule set against attributes. It takes time linear to the conditions reached, and to the texts of attributes
    /// that are read for the first time, for which it may make room; else it allocates nothing.
    ///
    /// - Parameter index: where the verdict is remembered, unless a later call could come to another one.
    // Inlined, together with what is lent to, because it is most of what one decision costs (W1).
    @inline(__always)
    func evaluate<Observer: RuleObserver>(
        _ rules: CompiledRules, against attributes: inout Attributes, _ budget: inout CallBudget,
        observer: Observer, rememberedAt index: Int? = nil
    ) -> RuleVerdict {
        @inline(__always)
        func walk(_ reader: AttributeReader) -> RuleVerdict {
            var reader = reader
            let skippedCount = reader.budget.pointee.skippedCount
            let verdict = RuleManager.verdict(of: rules, in: tables, &reader, observer)
            if reader.budget.pointee.skippedCount != skippedCount {
                reader.forgetSkipped()
            } else if let index {
                reader.remember(verdict, at: index)
            }
            return verdict
        }
        return lend(&attributes, &budget, to: walk)
    }

    /// Matches a rule set by asking `data` for each condition that evaluation reaches.
    func evaluate<Observer: RuleObserver>(
        _ rules: CompiledRules, answeredBy data: some RuleData, _ budget: inout CallBudget,
        observer: Observer
    ) -> RuleVerdict {
        withExtendedLifetime(self) {
            var reader = RuleDataReader(program: self, data: data, budget: budget)
            defer { budget = reader.budget }
            return RuleManager.verdict(of: rules, in: tables, &reader, observer)
        }
    }
}
