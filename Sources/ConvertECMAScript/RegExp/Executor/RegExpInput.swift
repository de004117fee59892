/// The input of an executor: a sequence of UTF-16 code units (ECMA-262, 22.2.2.1, Input), read from UTF-8 without a
/// copy.
///
/// A position is the index of a byte. The executor's caller owns the buffer, which outlives the call.
protocol RegExpInput {
    /// The position of the end.
    var count: Int { get }
    /// The unit at `position`, which must be below `count`, and the distance to the position of the next unit.
    func unit(at position: Int) -> (unit: UInt16, width: Int)
    /// The unit before `position`, which must be above 0, and the distance back to its position.
    func unit(before position: Int) -> (unit: UInt16, width: Int)
    /// The first position at or after `position` at which `literal` occurs, or `nil`. `literal` must not be empty.
    func firstOccurrence(of literal: UnitLiteral, from position: Int) -> Int?
}

/// An input that is ASCII, in which each byte is a unit.
struct ASCIIInput: RegExpInput {
    let bytes: ByteText

    @inline(__always) var count: Int { bytes.count }

    @inline(__always)
    func unit(at position: Int) -> (unit: UInt16, width: Int) { (UInt16(bytes[position]), 1) }

    @inline(__always)
    func unit(before position: Int) -> (unit: UInt16, width: Int) { (UInt16(bytes[position - 1]), 1) }
}

extension RegExpInput {
    /// Whether an assertion holds.
    @inline(__always)
    func holds(_ assertion: PatternTree.Assertion, at position: Int) -> Bool {
        assertion.holds(
            after: position > 0 ? .init(unit(before: position).unit) : .edge,
            before: position < count ? .init(unit(at: position).unit) : .edge) == true
    }
}

extension Automaton.Context {
    /// The property of `unit` that a neighbouring assertion checks.
    @inline(__always)
    init(_ unit: UInt16) {
        switch unit {
        case 0x61...0x7a, 0x41...0x5a, 0x30...0x39, 0x5f: self = .word
        case 0x0a, 0x0d, 0x2028, 0x2029: self = .lineTerminator
        case 0x17f, 0x212a: self = .foldedWord
        case 0xd800...0xdbff: self = .lead
        default: self = .other
        }
    }
}
