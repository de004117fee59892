internal import ConvertECMAScript
internal import ConvertValues

/// The rule's side of one condition.
struct RuleOperand {
    let value: JSValue?
    let slot: Int

    /// Whether ToString does not throw. Without text, no comparison that reads the text holds, negated or not.
    var hasText: Bool { !ECMAScript.throwsInToString(value) }
}

/// Prepared rule values that do not fit into a ``ComparisonRow``.
struct OperandTables {
    let semantics: RuleSemantics
    var texts = InternedTexts()
    /// The lists of many texts, each in ascending order.
    var listNumbers: [UInt32] = []
    var mobileValues: [MobileOperand] = []
    var patterns: PatternTable
    /// The problem with the latest row's pattern, which ``RuleCompiler`` reports.
    var failureToReport: PatternTable.Failure?

    init(semantics: RuleSemantics, patternMemory: Int, patterns pool: PatternPool) {
        self.semantics = semantics
        patterns = PatternTable(room: patternMemory, pool: pool)
    }
}
