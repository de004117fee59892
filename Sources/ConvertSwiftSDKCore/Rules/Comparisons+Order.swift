internal import ConvertECMAScript

extension Comparisons {
    /// `less` and `lessEqual` where the rule's side is no number, or the visitor's is none.
    ///
    /// Each side counts as a number only in the reference's numeric shape; then both must be of one `typeof`. Texts that are
    /// no numbers compare by UTF-16 code units, case kept.
    @inline(never)
    static func order(of index: Int, on place: Int, _ input: AttributeReader) -> Truth {
        let row = input.rules.comparisons[index]
        let attribute = input.attributes.slots[place]
        let orEqual = row.kind == .atMostText || row.kind == .atMostOther
        if input.rules.semantics.ordersOnlyNumbers { return Truth(false) }
        switch row.kind {
        case .lessThanText, .atMostText:
            guard attribute.kind == .string, !attribute.isNumber else { return .neither }
            let order = ECMAScript.compareCodeUnits(utf8: input.text(of: attribute).bytes, input.text(row).bytes)
            return Truth(orEqual ? order <= 0 : order < 0)
        default: break
        }
        let right = input.rules.value(ofConditionAt: row.condition)
        switch (row.valueKind, attribute.kind) {
        case (.boolean, .boolean):
            let number = right?.boolValue == true ? 1.0 : 0
            return Truth(orEqual ? attribute.number <= number : attribute.number < number)
        case (.undefined, .undefined):
            return Truth(false)
        case (.null, .null), (.null, .array), (.null, .object), (.array, .null), (.array, .array), (.array, .object),
            (.object, .null), (.object, .array), (.object, .object):
            let left = input.attributes.value(in: place)
            return Truth(
                orEqual ? ECMAScript.isLessThan(right, left) == false : ECMAScript.isLessThan(left, right) == true)
        default: return .neither
        }
    }

    /// Sides of two types, which have no order. Only where numbers alone have one is that negated.
    @inline(__always)
    static func mismatch(_ input: AttributeReader) -> Truth {
        input.rules.semantics.ordersOnlyNumbers ? Truth(false) : .neither
    }
}
