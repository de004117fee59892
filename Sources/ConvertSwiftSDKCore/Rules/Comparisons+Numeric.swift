internal import ConvertECMAScript

extension Comparisons {
    /// `less` and `lessEqual`: each side counts as a number only in the reference's numeric shape; then both must be of
    /// one `typeof`. Texts that are no numbers compare by UTF-16 code units, case kept.
    ///
    /// - Returns: `nil` if the types differ, or are not those that the semantics order.
    @inline(never)
    static func isLess(
        _ index: Int, _ attribute: Attribute, _ input: AttributeReader, slot: Int
    ) -> Bool? {
        let operand = input.rules.conditions[index].operand
        let orEqual = if case .lessEqual = input.rules.conditions[index].operation { true } else { false }
        let left = Operand(kind: attribute.kind, isNumeric: attribute.isNumeric)
        guard left == Operand(kind: operand.kind, isNumeric: operand.isNumeric),
            left == .number || !input.rules.semantics.ordersOnlyNumbers
        else { return nil }
        switch left {
        case .number, .boolean:
            return orEqual ? attribute.number <= operand.number : attribute.number < operand.number
        case .string:
            let order = ECMAScript.compareCodeUnits(
                utf8: input.text(attribute).bytes, input.text(operand).bytes)
            return orEqual ? order <= 0 : order < 0
        case .undefined:
            return false
        case .object:
            let left = input.attributes.value(in: slot)
            let right = input.rules.operand(ofConditionAt: index)
            if orEqual { return ECMAScript.isLessThan(right, left) == false }
            return ECMAScript.isLessThan(left, right) == true
        }
    }

    /// What `typeof` says once numeric text has become a number.
    private enum Operand {
        case number, boolean, string, undefined, object

        @inline(__always)
        init(kind: AttributeKind, isNumeric: Bool) {
            switch kind {
            case .unresolved, .absent, .undefined: self = .undefined
            case .null, .array, .object: self = .object
            case .boolean: self = .boolean
            case .number: self = .number
            case .string: self = isNumeric ? .number : .string
            }
        }
    }
}
