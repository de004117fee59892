/// The input of an executor: a sequence of UTF-16 code units (ECMA-262, 22.2.2.1, Input), read without a copy from UTF-8.
///
/// A position is the index of a byte. The buffer belongs to the caller of the executor and outlives the call.
protocol RegExpInput {
    /// The position of the end.
    var count: Int { get }
    /// The unit at `position`, which is below `count`, and how many positions further the next one stands.
    func unit(at position: Int) -> (unit: UInt16, width: Int)
    /// The unit before `position`, which is above 0, and how many positions before it that one stands.
    func unit(before position: Int) -> (unit: UInt16, width: Int)
    /// Where `literal`, which is not empty, first stands at or after `position`.
    func firstOccurrence(of literal: UnitLiteral, from position: Int) -> Int?
}

/// Text whose every byte is ASCII and therefore a unit.
struct ASCIIInput: RegExpInput {
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always) var count: Int { bytes.count }

    @inline(__always)
    func unit(at position: Int) -> (unit: UInt16, width: Int) { (UInt16(bytes[position]), 1) }

    @inline(__always)
    func unit(before position: Int) -> (unit: UInt16, width: Int) { (UInt16(bytes[position - 1]), 1) }
}

extension RegExpInput {
    /// Whether an assertion (CompileAssertion, 22.2.2.4) holds.
    @inline(__always)
    func holds(_ assertion: PatternTree.Assertion, at position: Int) -> Bool {
        switch assertion {
        case .inputStart: position == 0
        case .inputEnd: position == count
        case .lineStart: position == 0 || isLineTerminator(unit(before: position).unit)
        case .lineEnd: position == count || isLineTerminator(unit(at: position).unit)
        case .wordBoundary: isWordCharacter(before: position) != isWordCharacter(at: position)
        case .notWordBoundary: isWordCharacter(before: position) == isWordCharacter(at: position)
        case .foldedWordBoundary: isFoldedWordCharacter(before: position) != isFoldedWordCharacter(at: position)
        case .notFoldedWordBoundary: isFoldedWordCharacter(before: position) == isFoldedWordCharacter(at: position)
        case .pointBoundary: position == 0 || !UTF16.isLeadSurrogate(unit(before: position).unit)
        }
    }

    /// IsWordChar (22.2.2.4.1): false beyond either end.
    @inline(__always)
    private func isWordCharacter(at position: Int) -> Bool {
        position < count && isWordUnit(unit(at: position).unit)
    }

    @inline(__always)
    private func isWordCharacter(before position: Int) -> Bool {
        position > 0 && isWordUnit(unit(before: position).unit)
    }

    private func isFoldedWordCharacter(at position: Int) -> Bool {
        position < count && isFoldedWordUnit(unit(at: position).unit)
    }

    private func isFoldedWordCharacter(before position: Int) -> Bool {
        position > 0 && isFoldedWordUnit(unit(before: position).unit)
    }
}

private func isFoldedWordUnit(_ unit: UInt16) -> Bool { isWordUnit(unit) || unit == 0x17f || unit == 0x212a }

@inline(__always)
func isWordUnit(_ unit: UInt16) -> Bool {
    unit | 0x20 &- 0x61 < 26 || unit &- 0x30 < 10 || unit == 0x5f
}

@inline(__always)
func isLineTerminator(_ unit: UInt16) -> Bool {
    unit == 0x0a || unit == 0x0d || unit == 0x2028 || unit == 0x2029
}
