package import ConvertECMAScript
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

extension Comparisons {
    /// Compares a value with the values of a mobile rule's matcher. Absent values are compared too.
    ///
    /// - Parameters:
    ///   - matcher: `eq`, `ne`, `ex`, `nx`, `gt`, `ge`, `lt`, `le`, `co`, `nc`, `sw` or `ew`.
    ///   - value: the event's value. `nil`, `null`, arrays and objects count as absent.
    ///   - values: the rule's values. One of them must meet the matcher; for `ne` and `nc`, all of them. An empty list
    ///     compares with an empty text. Elements that are null, arrays or objects are dropped.
    /// - Returns: whether the matcher holds; `false` for an unknown matcher, and if all values were dropped.
    package static func evaluate(mobileMatcher matcher: String, value: JSValue?, values: [JSValue]) -> Bool {
        guard let matcher = MobileMatcher(wireName: matcher) else { return false }
        let operands = MobileOperand.list(of: .array(values), for: matcher)
        switch value {
        case .null, .array, .object: return matcher.matches(nil, operands[...])
        default: return matcher.matches(value, operands[...])
        }
    }
}
