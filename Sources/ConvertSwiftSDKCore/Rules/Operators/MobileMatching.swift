internal import ConvertECMAScript
internal import ConvertValues

/// `eq`, `ne`, `ex`, `nx`, `gt`, `ge`, `lt`, `le`, `co`, `nc`, `sw`, `ew`: the matchers of the mobile rules, as one
/// operator of a rule graph.
///
/// The JSON type of each rule value determines how the attribute is read. Null is an absent value, which only the
/// presence matchers accept.
enum MobileMatching {
    static let names = MobileMatcher.names.map { (name: $0.name, operation: Operation.mobile($0.matcher)) }

    static func row(_ matcher: MobileMatcher, _ rule: RuleOperand, _ tables: inout OperandTables) -> ComparisonRow {
        let values = MobileOperand.list(of: rule.value, for: matcher)
        var row = ComparisonRow(.mobile(matcher), .mobileValues)
        row.range = TableRange(start: tables.mobileValues.count, count: values.count)
        tables.mobileValues += values
        return row
    }

    @inline(never)
    static func truth(_ comparison: Comparison, _ matcher: MobileMatcher) -> Truth {
        switch comparison.attribute.kind {
        // Only rule data can return `undefined`.
        case .absent, .undefined, .null:
            return matcher == .exists || matcher == .notExists ? Truth(matcher == .notExists) : .neither
        default: break
        }
        let (value, range) = (comparison.value, comparison.row.range)
        let visits = MobileCost.visits(comparing: value, with: range.count)
        if visits > 0, let truth = comparison.pay(visits: visits) { return truth }
        return Truth(matcher.matches(value, comparison.program.mobileValues[range.indices]))
    }
}
