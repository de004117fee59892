internal import ConvertECMAScript

/// `equals`, `equalsNumber`, `matches`: the texts are equal, ignoring case. None of the three compares numbers.
///
/// An array equals the rule's value if one element does by `===`, which is case-sensitive. An object with members
/// equals it if one key is the rule's text. An empty object is compared by its text, ignoring case.
enum Equality {
    static let names: [(name: String, operation: Operation)] = [
        ("equals", .equals), ("equalsNumber", .equals), ("matches", .equals),
    ]

    /// Lowercases the rule's text, and numbers it among the texts that rules of the slot name.
    static func row(_ rule: RuleOperand, _ tables: inout OperandTables) -> ComparisonRow {
        // A rule value without text is still compared with the elements of arrays.
        var row = ComparisonRow(.equals, rule.hasText ? .textID : .value, reading: rule.hasText ? .equalNumber : .text)
        row.valueKind = AttributeKind(of: rule.value)
        if rule.hasText {
            row.number = tables.texts.number(of: tables.texts.lowercase(of: rule.value), in: rule.slot)
            // Arrays and objects are compared with the original spelling, so rules that differ in case need distinct
            // rows.
            row.range = tables.texts.spelling(of: rule.value)
        }
        return row
    }

    /// Whether the texts are equal. The attribute must be neither an array nor an object with members.
    @inline(__always)
    static func holds(_ comparison: Comparison) -> Bool {
        comparison.attribute.equalNumber == comparison.row.number
    }

    @inline(never)
    static func truth(_ comparison: Comparison) -> Truth {
        let isArray = comparison.attribute.kind == .array
        if !isArray, comparison.row.operand == .value { return .neither }
        guard isArray || comparison.attribute.kind == .object else {
            return Truth(holds(comparison))
        }
        return comparison.pay(.lookUp) ?? Truth(hasMember(comparison))
    }

    private static func hasMember(_ comparison: Comparison) -> Bool {
        let ruleValue = comparison.ruleValue
        switch comparison.value {
        case .array(let elements):
            guard let ruleValue else { return false }
            return elements.contains { $0.isStrictlyEqual(to: ruleValue) }
        case .object(let object) where !object.isEmpty: return object[ECMAScript.toPropertyKey(ruleValue)] != nil
        default: return holds(comparison)
        }
    }
}
