/// The input of an executor: a sequence of UTF-16 code units (ECMA-262, 22.2.2.1, Input).
///
/// ASCII text is its own sequence of code units, so it is matched on its bytes; everything else is transcoded.
protocol RegExpInput {
    var count: Int { get }
    subscript(position: Int) -> UInt16 { get }
    /// Where `literal`, which is not empty, first stands at or after `start`.
    func firstOccurrence(of literal: UnitLiteral, from start: Int) -> Int?
}

/// Text whose every byte is ASCII.
///
/// The buffer belongs to the caller of the executor and outlives the call. Positions are checked against `count` by the
/// executors, as the specification's matchers do.
struct ASCIIInput: RegExpInput {
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always) var count: Int { bytes.count }

    @inline(__always) subscript(position: Int) -> UInt16 { UInt16(bytes[position]) }
}

/// Any text, transcoded. The same holds for its buffer.
struct UTF16Input: RegExpInput {
    let units: UnsafeBufferPointer<UInt16>

    @inline(__always) var count: Int { units.count }

    @inline(__always) subscript(position: Int) -> UInt16 { units[position] }
}

extension RegExpInput {
    /// IsWordChar (22.2.2.4.1): false beyond either end.
    @inline(__always)
    func isWordCharacter(at position: Int) -> Bool {
        guard position >= 0, position < count else { return false }
        return isWordUnit(self[position])
    }

    /// Whether an assertion (CompileAssertion, 22.2.2.4) holds.
    @inline(__always)
    func holds(_ assertion: PatternTree.Assertion, at position: Int) -> Bool {
        switch assertion {
        case .inputStart: position == 0
        case .inputEnd: position == count
        case .lineStart: position == 0 || isLineTerminator(self[position - 1])
        case .lineEnd: position == count || isLineTerminator(self[position])
        case .wordBoundary: isWordCharacter(at: position - 1) != isWordCharacter(at: position)
        case .notWordBoundary: isWordCharacter(at: position - 1) == isWordCharacter(at: position)
        }
    }
}

@inline(__always)
func isWordUnit(_ unit: UInt16) -> Bool {
    unit | 0x20 &- 0x61 < 26 || unit &- 0x30 < 10 || unit == 0x5f
}

@inline(__always)
func isLineTerminator(_ unit: UInt16) -> Bool {
    unit == 0x0a || unit == 0x0d || unit == 0x2028 || unit == 0x2029
}
