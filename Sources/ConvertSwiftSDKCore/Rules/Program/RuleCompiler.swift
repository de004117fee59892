internal import ConvertECMAScript

/// Compiles rule sets into a ``RuleProgram``: interns attribute names, prepares the rules' values, and keeps each
/// distinct comparison once.
struct RuleCompiler: ~Copyable {
    let semantics: RuleSemantics
    private(set) var slots: AttributeSlots
    private(set) var conditions: [ConditionRow] = []
    /// The conditions as the rules have them.
    private(set) var originals: [RuleCondition] = []
    private(set) var comparisons: [ComparisonRow] = []
    /// For each clause the index after its last condition.
    private(set) var clauseEnds: [Int32] = []
    /// For each group the index after its last clause.
    private(set) var groupEnds: [Int32] = []
    private(set) var tables: OperandTables
    private let adapter: RuleAdapter
    /// The indices of comparisons, by their identities.
    private var indices: [ComparisonRow: Int] = [:]
    /// The comparisons of leaves, by the leaves' identities. ``originals`` keeps the leaves alive, so identities are
    /// not reused.
    private var comparisonsOfLeaves: [ObjectIdentifier: Int] = [:]

    init(
        semantics: RuleSemantics, keysAreCaseSensitive: Bool = true, patternMemory: Int = ConfigLimits.patternMemory,
        patterns: PatternPool = PatternPool()
    ) {
        self.semantics = semantics
        adapter = RuleAdapter(semantics: semantics)
        tables = OperandTables(semantics: semantics, patternMemory: patternMemory, patterns: patterns)
        slots = AttributeSlots(isCaseSensitive: keysAreCaseSensitive || !semantics.honoursCaseInsensitiveKeys)
    }

    /// Compiles one rule set. Problems with patterns are appended to `diagnostics`.
    mutating func compile(_ groups: [RuleGroup], diagnostics: inout [ConfigDiagnostic]) -> CompiledRules {
        let (firstGroup, firstCondition) = (groupEnds.count, conditions.count)
        var hasEmptyClause = false
        for (block, group) in groups.enumerated() {
            for (clause, alternatives) in group.clauses.enumerated() {
                for (leaf, condition) in alternatives.enumerated() {
                    append(condition, at: RulePlace(block: block, clause: clause, leaf: leaf), &diagnostics)
                    // If all leaves of a clause must hold, each leaf becomes a clause.
                    if semantics.requiresAllLeaves { endClause() }
                }
                if alternatives.isEmpty { hasEmptyClause = true }
                if alternatives.isEmpty || !semantics.requiresAllLeaves { endClause() }
            }
            if conditions.count > firstCondition { conditions[conditions.count - 1].endsGroup = true }
            groupEnds.append(Int32(truncatingIfNeeded: clauseEnds.count))
        }
        return CompiledRules(
            groups: TableRange(start: firstGroup, count: groupEnds.count - firstGroup),
            conditions: TableRange(start: firstCondition, count: conditions.count - firstCondition),
            hasEmptyClause: hasEmptyClause)
    }

    private mutating func endClause() {
        if !conditions.isEmpty { conditions[conditions.count - 1].endsClause = true }
        clauseEnds.append(Int32(truncatingIfNeeded: conditions.count))
    }

    private mutating func append(
        _ condition: RuleCondition, at place: RulePlace, _ diagnostics: inout [ConfigDiagnostic]
    ) {
        let comparison: Int
        if let leaf = condition.leaf, let known = comparisonsOfLeaves[leaf.identity] {
            comparison = known
        } else {
            tables.failureToReport = nil
            comparison = index(of: row(of: condition))
            if let failure = tables.failureToReport {
                // A pattern's problem is reported wherever the pattern occurs.
                let matchesAll = condition.negation && semantics.negatesInvalidPatterns && failure.isSyntax
                let consequence = matchesAll ? "the leaf is negated and matches everybody" : "the leaf never matches"
                diagnostics.append(
                    "\(failure): \(consequence).", at: "", place, member: ".value",
                    remedy: failure.isSyntax ? "Correct the pattern." : "Use fewer or shorter patterns.")
            } else if let leaf = condition.leaf {
                comparisonsOfLeaves[leaf.identity] = comparison
            }
        }
        conditions.append(ConditionRow(comparison: comparison, isNegated: condition.negation))
        originals.append(condition)
    }

    /// The index of a comparison. It is added unless an equivalent one exists.
    private mutating func index(of row: ComparisonRow) -> Int {
        let index = indices[row.identity, default: comparisons.count]
        if index == comparisons.count {
            indices[row.identity] = index
            comparisons.append(row)
        }
        return index
    }

    private mutating func row(of condition: RuleCondition) -> ComparisonRow {
        let slot = slots.intern(condition.attribute)
        var row: ComparisonRow
        if condition.defect == nil, let operation = adapter.operation(of: condition) {
            row = Comparisons.row(operation, RuleOperand(value: condition.value, slot: slot), &tables)
        } else {
            // The row keeps its slot, because an explanation shows the attribute all the same.
            row = .defect(condition.defect == .null ? .null : .never)
        }
        slots.add(row.forms, to: slot)
        row.slot = UInt32(truncatingIfNeeded: slot)
        row.condition = UInt32(truncatingIfNeeded: conditions.count)
        return row
    }
}
