internal import ConvertECMAScript

/// `less`, `lessEqual`: the value is below the rule's.
///
/// A side counts as a number if it is one, or text in the reference's numeric shape. Numbers compare with numbers, other texts
/// with such texts by UTF-16 code units, case kept, and the rest as ECMAScript's `<` does if `typeof` is the same. Sides of two
/// types have no order: neither the comparison nor its negation holds. Under `.flat` only numbers have one, and everything else
/// is a miss like any other.
enum Order {
    static let names: [(name: String, operation: Operation)] = [("less", .less), ("lessEqual", .lessEqual)]

    static func row(_ operation: Operation, _ rule: RuleOperand, _ tables: inout OperandTables) -> ComparisonRow {
        guard rule.hasText else { return .defect(.never) }
        let number = NumericShape.isNumeric(rule.value) ? NumericShape.toNumber(rule.value) : rule.value?.numberValue
        if let number {
            var row = ComparisonRow(operation, .number, reading: .number)
            row.double = number
            return row
        }
        switch rule.value {
        case .string, .illFormedString:
            // Who reads the number of a text gets the text with it.
            var row = ComparisonRow(operation, .text, reading: .number)
            row.range = tables.texts.spelling(of: rule.value)
            return row
        default:
            // What arrays and objects are ordered by costs the length of their text.
            var row = ComparisonRow(operation, .value, reading: [.number, .text])
            row.valueKind = AttributeKind(of: rule.value)
            return row
        }
    }

    /// The comparison of two numbers.
    @inline(__always)
    static func holds(_ comparison: Comparison) -> Bool {
        let (left, right) = (comparison.attribute.number, comparison.row.double)
        return comparison.row.operation == .less ? left < right : left <= right
    }

    /// Where the rule's side is no number, or the visitor's is none.
    @inline(never)
    static func truth(_ comparison: Comparison) -> Truth {
        let row = comparison.row
        if row.operand == .value, let truth = comparison.pay(.text) { return truth }
        if comparison.semantics.ordersOnlyNumbers { return Truth(false) }
        switch row.operand {
        case .text: return orderOfTexts(comparison)
        case .value: return orderOfValues(comparison)
        default: return .neither
        }
    }

    private static func orderOfTexts(_ comparison: Comparison) -> Truth {
        guard comparison.attribute.kind == .string, !comparison.attribute.isNumber else { return .neither }
        let order = ECMAScript.compareCodeUnits(utf8: comparison.text.bytes, comparison.ruleText.bytes)
        return Truth(comparison.row.operation == .less ? order < 0 : order <= 0)
    }

    private static func orderOfValues(_ comparison: Comparison) -> Truth {
        let isLess = comparison.row.operation == .less
        switch (comparison.row.valueKind, comparison.attribute.kind) {
        case (.undefined, .undefined): return Truth(false)
        case (.boolean, .boolean), (.null, .null), (.null, .array), (.null, .object), (.array, .null), (.array, .array),
            (.array, .object), (.object, .null), (.object, .array), (.object, .object):
            let (left, right) = (comparison.value, comparison.ruleValue)
            return Truth(
                isLess ? ECMAScript.isLessThan(left, right) == true : ECMAScript.isLessThan(right, left) == false)
        default: return .neither
        }
    }
}
