internal import ConvertECMAScript

/// `equals`, `equalsNumber`, `matches`: the same text without regard to case. None of them compares numbers.
///
/// Of an array one element must be the rule's value by `===`, case kept. Of an object with members one key must be its text;
/// of an empty object the text must be, without regard to case.
enum Equality {
    static let names: [(name: String, operation: Operation)] = [
        ("equals", .equals), ("equalsNumber", .equals), ("matches", .equals),
    ]

    /// The rule's text is lowercased and numbered among those that rules of the slot name.
    static func row(_ rule: RuleOperand, _ tables: inout OperandTables) -> ComparisonRow {
        // A rule's value that has no text is compared with arrays all the same: with their elements.
        var row = ComparisonRow(.equals, rule.hasText ? .textID : .value, reading: rule.hasText ? .equalNumber : .text)
        row.valueKind = AttributeKind(of: rule.value)
        if rule.hasText {
            row.number = tables.texts.number(of: tables.texts.lowercase(of: rule.value), in: rule.slot)
            // Arrays and objects see the spelling of the value, which its lowercase does not have.
            row.range = tables.texts.spelling(of: rule.value)
        }
        return row
    }

    /// The comparison of anything but an array or an object.
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
