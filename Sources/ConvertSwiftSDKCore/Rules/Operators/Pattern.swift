internal import ConvertECMAScript

/// `regexMatches`: the rule's pattern, ignoring case, matches the lowercase of the value's text.
///
/// An invalid pattern matches nothing. The reference throws and catches the error, so the negation does not hold
/// either, except under `.flat`. No pattern matches an absent attribute. A pattern that takes too many steps does not
/// match, negated or not.
enum Pattern {
    static let names: [(name: String, operation: Operation)] = [("regexMatches", .regexMatches)]

    static func row(_ rule: RuleOperand, _ tables: inout OperandTables) -> ComparisonRow {
        guard rule.hasText else { return .defect(.never) }
        switch tables.patterns.compile(ECMAScript.toPropertyKey(rule.value)) {
        case .success(let index):
            var row = ComparisonRow(.regexMatches, .pattern, reading: .lowercase)
            row.number = UInt32(truncatingIfNeeded: index)
            return row
        case .failure(let failure):
            tables.failureToReport = failure
            let isMiss = tables.semantics.negatesInvalidPatterns && failure.isSyntax
            return isMiss ? ComparisonRow(.regexMatches, .none) : .defect(.never)
        }
    }

    @inline(never)
    static func truth(_ comparison: Comparison) -> Truth {
        guard comparison.attribute.kind != .absent, comparison.row.operand == .pattern else { return Truth(false) }
        return comparison.truth(of: comparison.program.patterns[Int(comparison.row.number)])
    }
}
