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
///
/// The tables are bare memory, which nobody writes and which is to be used only while the program lives.
package final class RuleProgram: Sendable {
    nonisolated(unsafe) let tables: UnsafePointer<RuleTables>
    let mobileValues: [MobileOperand]
    let patterns: [RegExp]
    /// The conditions as the rules have them, for rule data, explanations, warnings and values of rare shapes.
    let originals: [RuleCondition]
    /// The attribute names that conditions read.
    let slots: AttributeSlots

    /// - Parameter verdictCount: of how many rule sets the verdict can be remembered with the attributes.
    init(_ compiler: RuleCompiler, verdictCount: Int = 0) {
        mobileValues = compiler.tables.mobileValues
        patterns = compiler.tables.patterns.compiled
        originals = compiler.originals
        slots = compiler.slots
        let tables = UnsafeMutablePointer<RuleTables>.allocate(capacity: 1)
        self.tables = UnsafePointer(tables)
        tables.initialize(to: RuleTables(compiler, verdictCount: verdictCount, owner: self))
    }

    deinit {
        tables.pointee.deallocate()
        tables.deallocate()
    }

    package var semantics: RuleSemantics { tables.pointee.semantics }

    /// Whether a `null` stands in place of some condition.
    var hasNulls: Bool { tables.pointee.comparisons.contains { $0.operand == .null } }

    /// The slot of the attribute that the condition at `index` reads.
    func slot(ofConditionAt index: Int) -> Int {
        Int(tables.pointee.comparisons[tables.pointee.conditions[index].comparison].slot)
    }
}
