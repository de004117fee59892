internal import ConvertECMAScript

/// `contains`, `startsWith`, `endsWith`: the value's text contains the rule's text, or begins or ends with it, ignoring
/// case.
///
/// `contains` holds for every text if the rule's text is empty or only white space. Arrays and objects are searched in
/// their text form.
enum TextSearch {
    static let names: [(name: String, operation: Operation)] = [
        ("contains", .contains), ("startsWith", .startsWith), ("endsWith", .endsWith),
    ]

    /// Lowercases the rule's text.
    static func row(_ operation: Operation, _ rule: RuleOperand, _ tables: inout OperandTables) -> ComparisonRow {
        guard rule.hasText else { return .defect(.never) }
        if case .illFormedString(let text) = ECMAScript.toStringValue(rule.value) {
            // A lone surrogate also occurs inside a surrogate pair, which a search of UTF-8 bytes would miss.
            var row = ComparisonRow(operation, .units, reading: .lowercase)
            row.range = tables.texts.separated(text.lowercase)
            return row
        }
        let text = tables.texts.lowercase(of: rule.value)
        if operation == .contains && tables.texts.isBlank(text) { return ComparisonRow(operation, .blank) }
        var row = ComparisonRow(operation, .part, reading: .lowercase)
        row.range = text
        return row
    }

    static func truth(_ comparison: Comparison) -> Truth {
        comparison.row.operand == .part ? search(comparison) : rareTruth(comparison)
    }

    /// Searches for a text of the program, ``ComparisonRow/Operand/part``.
    @inline(never)
    static func search(_ comparison: Comparison) -> Truth {
        let operation = comparison.row.operation
        // The other operators read at most as many bytes as the rule's text has.
        if operation == .contains, let truth = comparison.pay(.search) { return truth }
        return Truth(finds(comparison.ruleText, operation, in: comparison.lowercase))
    }

    /// The answer if the rule's text is blank, or contains a lone surrogate.
    @inline(never)
    private static func rareTruth(_ comparison: Comparison) -> Truth {
        if comparison.row.operand == .blank { return Truth(true) }
        if let truth = comparison.pay(.copy) { return truth }
        let text = ECMAScript.separatingSurrogates(comparison.lowercase)
        return text.withElements { Truth(finds(comparison.ruleText, comparison.row.operation, in: $0)) }
    }

    @inline(__always)
    private static func finds(_ part: ByteText, _ operation: Operation, in text: ByteText) -> Bool {
        switch operation {
        case .contains: text.contains(part)
        case .startsWith: text.hasPrefix(part)
        default: text.hasSuffix(part)
        }
    }
}
