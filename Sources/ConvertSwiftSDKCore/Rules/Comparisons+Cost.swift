internal import ConvertECMAScript
internal import ConvertValues

/// What comparisons of long texts cost, in visits: about as many nanoseconds.
extension AttributeReader {
    /// Pays for a comparison that reads the attribute's text, if that is long. Returns the truth of one that takes more than is
    /// left.
    @inline(__always)
    func pay(for row: ComparisonRow, on attribute: Attribute) -> Truth? {
        attribute.text.count > CallBudget.freeTextCount ? payForLongText(row, attribute) : nil
    }

    // Apart, because few texts are long.
    @inline(never)
    private func payForLongText(_ row: ComparisonRow, _ attribute: Attribute) -> Truth? {
        budget.pointee.pay(visits: row.kind.visitsPerByte * attribute.text.count, at: Int(row.condition))
    }

    /// Pays for a comparison of the mobile family. Returns the truth of one that takes more than is left.
    func pay(forMobile row: ComparisonRow, on value: JSValue?) -> Truth? {
        let visits = MobileCost.visits(comparing: value, with: row.range.count)
        return visits > 0 ? budget.pointee.pay(visits: visits, at: Int(row.condition)) : nil
    }
}

extension ComparisonRow.Kind {
    /// Visits for each byte of a long text, the commas between an array's elements included.
    fileprivate var visitsPerByte: Int {
        switch self {
        // Patterns count for themselves, and the others read no more of a text than the rule's is long.
        case .never, .null, .exists, .doesNotExist, .notExists, .mobile, .startsWith, .endsWith, .anyText,
            .matchesPattern, .matchesNothing, .lessThanNumber, .atMostNumber, .lessThanText, .atMostText:
            0
        case .contains: 4
        // The text is copied, its surrogates apart.
        case .containsUnits, .startsWithUnits, .endsWithUnits: 8
        // Each part of the text is looked up.
        case .textIn, .textInMany: 16
        // Each element is compared.
        case .textEquals, .textlessEquals: 16
        // Text is made of the elements once more.
        case .lessThanOther, .atMostOther: 64
        }
    }
}
