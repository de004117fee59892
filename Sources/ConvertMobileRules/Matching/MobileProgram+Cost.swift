internal import ConvertValues

extension MobileProgram.Reader {
    /// What comparison `number` takes on the value at `place`, if that is a long text.
    @inline(__always)
    func visits(_ number: Int, on place: Int, of values: borrowing MobileValues) -> Int {
        let value = values.rows[place]
        return value.text.count > MobileCost.freeTextCount ? visits(number, onLongText: value) : 0
    }

    // Apart, because few texts are long.
    @inline(never)
    private func visits(_ number: Int, onLongText value: MobileValues.Row) -> Int {
        let row = row(number)
        let isPlain = value.isPlain && row.operands.indices.allSatisfy { hasPlainOperand(at: $0) }
        return MobileCost.visits(row.matcher, searching: value.text.count, row.operands.count, isPlain: isPlain)
    }
}

extension MobileCost {
    /// What a matcher takes to find operands in a text of so many bytes.
    static func visits(_ matcher: MobileMatcher, searching count: Int, _ operandCount: Int, isPlain: Bool)
        -> Int
    {
        switch matcher {
        case .contains, .notContains: count * operandCount * (isPlain ? 1 : graphemes)
        // A text that is not compared by its bytes may have to be made once more.
        case .startsWith, .endsWith: isPlain ? 0 : count * operandCount
        default: 0
        }
    }
}
