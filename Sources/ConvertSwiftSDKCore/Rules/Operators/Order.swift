internal import ConvertECMAScript

/// `less`, `lessEqual`: the value is less than the rule's value, or equal to it.
///
/// A side counts as a number if it is a number, or text in the reference's numeric format. Numbers compare with
/// numbers. Two other texts compare by UTF-16 code units, case-sensitively. Two other values of the same `typeof`
/// compare as by ECMAScript's `<`. Values of different types have no order: neither the comparison nor its negation
/// holds. Under `.flat` only numbers have an order, and any other comparison is an ordinary mismatch.
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
            // Resolving the number of a text stores the text too, so the row does not name that form.
            var row = ComparisonRow(operation, .text, reading: .number)
            row.range = tables.texts.spelling(of: rule.value)
            return row
        default:
            // Ordering arrays and objects costs time linear to their text.
            var row = ComparisonRow(operation, .value, reading: [.number, .text])
            row.valueKind = AttributeKind(of: rule.value)
            return row
        }
    }

    /// Compares two numbers.
    @inline(__always)
    static func holds(_ comparison: Comparison) -> Bool {
        let (left, right) = (comparison.attribute.number, comparison.row.double)
        return comparison.row.operation == .less ? left < right : left <= right
    }

    /// The answer if at least one side is not a number.
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
        let order = ECMAScript.compareCodeUnits(utf8: comparison.text, comparison.ruleText)
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
