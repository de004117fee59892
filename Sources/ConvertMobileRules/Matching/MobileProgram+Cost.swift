internal import ConvertValues

extension MobileProgram {
    /// The cost of comparison `number` for the value at `place`; 0 if the value is not a long text.
    @inline(__always)
    func visits(_ number: Int, on place: Int, of values: borrowing MobileValues) -> Int {
        let value = values.rows[place]
        return value.text.count > MobileCost.freeTextCount ? visits(number, onLongText: value) : 0
    }

    @inline(never)
    private func visits(_ number: Int, onLongText value: MobileValues.Row) -> Int {
        let row = rows[number]
        var (textCount, isPlain) = (0, value.isPlain)
        for place in row.operands.indices where operands[place].kind == .text {
            textCount += 1
            isPlain = isPlain && texts.plain(operands[place].text) != nil
        }
        return MobileCost.visits(row.matcher, searching: value.text.count, for: textCount, isPlain: isPlain)
    }
}

extension MobileCost {
    /// The cost of comparing a long text with operands, as in a ``MobileProgram``; 0 for other values.
    static func visits(_ matcher: MobileMatcher, on value: inout MobileValue, _ operands: [MobileOperand]) -> Int {
        guard case .string? = value.value, let text = value.lowercase, text.count > freeTextCount else { return 0 }
        var (textCount, isPlain) = (0, text.isPlain)
        for case .text(let operand) in operands {
            textCount += 1
            isPlain = isPlain && operand.isPlain
        }
        return visits(matcher, searching: text.count, for: textCount, isPlain: isPlain)
    }

    /// The cost of searching a text of `count` bytes for this many texts.
    fileprivate static func visits(_ matcher: MobileMatcher, searching count: Int, for texts: Int, isPlain: Bool) -> Int
    {
        switch matcher {
        case .contains, .notContains: count * texts * (isPlain ? 1 : graphemes)
        // A text that cannot be compared by its bytes may have to be created again.
        case .startsWith, .endsWith: isPlain ? 0 : count * texts
        default: 0
        }
    }
}
