package import ConvertECMAScript

/// What comparisons of the mobile family cost where a text is long, in visits: about as many nanoseconds.
package enum MobileCost {
    /// What a byte costs that is searched by grapheme clusters.
    private static let graphemes = 128

    /// What ``MobileMatcher/matches(_:_:)`` takes, which puts the value in lower case each time.
    package static func visits(comparing value: JSValue?, with operandCount: Int) -> Int {
        guard case .string(let text)? = value, text.utf8.count > CallBudget.freeTextCount else { return 0 }
        let isASCII = text.withUTF8Bytes { $0.reduce(0, |) < 0x80 }
        return text.utf8.count * (isASCII ? 4 + operandCount : graphemes / 4 + graphemes * operandCount)
    }

    /// What a matcher takes to find operands in a text of so many bytes.
    fileprivate static func visits(_ matcher: MobileMatcher, searching count: Int, _ operandCount: Int, isPlain: Bool)
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

extension MobileProgram.Reader {
    /// What comparison `number` takes on the value at `place`, if that is a long text.
    @inline(__always)
    package func visits(_ number: Int, on place: Int, of values: borrowing MobileValues) -> Int {
        let value = values.rows[place]
        return value.text.count > CallBudget.freeTextCount ? visits(number, onLongText: value) : 0
    }

    // Apart, because few texts are long.
    @inline(never)
    private func visits(_ number: Int, onLongText value: MobileValues.Row) -> Int {
        let row = row(number)
        let isPlain = value.isPlain && row.operands.indices.allSatisfy { hasPlainOperand(at: $0) }
        return MobileCost.visits(row.matcher, searching: value.text.count, row.operands.count, isPlain: isPlain)
    }
}
