internal import ConvertECMAScript
internal import ConvertValues

/// The rule's side of one condition.
struct RuleOperand {
    let value: JSValue?
    /// The attribute's slot.
    let slot: Int

    /// Whether ToString does not throw. Without text nothing that reads it holds, negated or not.
    var hasText: Bool { !ECMAScript.throwsInToString(value) }
}

/// What rules' values are made into, as far as it does not fit into a ``ComparisonRow``.
struct OperandTables {
    let semantics: RuleSemantics
    var texts = InternedTexts()
    /// The lists of many texts, each ascending.
    var listNumbers: [UInt32] = []
    var mobileValues: [MobileOperand] = []
    var patterns: PatternTable
    /// What is wrong with the pattern of the latest row, which ``RuleCompiler`` reports.
    var failureToReport: PatternTable.Failure?

    init(semantics: RuleSemantics, patternMemory: Int) {
        self.semantics = semantics
        patterns = PatternTable(room: patternMemory)
    }
}
