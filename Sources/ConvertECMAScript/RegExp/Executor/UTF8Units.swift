/// A text in UTF-8, read as UTF-16 code units.
///
/// A scalar beyond U+FFFF is two units: the lead surrogate is at its first byte, and the trail surrogate at its third
/// byte. Any other scalar is one unit at its first byte. Bytes that are not UTF-8 are read as unspecified units.
struct UTF8Units: RegExpInput {
    let bytes: ByteText

    @inline(__always) var count: Int { bytes.count }

    @inline(__always)
    func unit(at position: Int) -> (unit: UInt16, width: Int) {
        let byte = bytes[position]
        return byte < 0x80 ? (UInt16(byte), 1) : foreignUnit(at: position)
    }

    @inline(never)
    private func foreignUnit(at position: Int) -> (unit: UInt16, width: Int) {
        if bytes[position] & 0xc0 == 0x80 {
            guard position >= 2 else { return (0xfffd, 1) }
            let (value, length) = bytes.scalar(at: position - 2)
            return length == 4 ? (Self.trailSurrogate(of: value), 2) : (0xfffd, 1)
        }
        let (value, length) = bytes.scalar(at: position)
        return length == 4 ? (Self.leadSurrogate(of: value), 2) : (UInt16(truncatingIfNeeded: value), length)
    }

    @inline(__always)
    func unit(before position: Int) -> (unit: UInt16, width: Int) {
        let byte = bytes[position - 1]
        return byte < 0x80 ? (UInt16(byte), 1) : foreignUnit(before: position)
    }

    @inline(never)
    private func foreignUnit(before position: Int) -> (unit: UInt16, width: Int) {
        if position >= 2, position < count, bytes[position] & 0xc0 == 0x80 {
            let (value, length) = bytes.scalar(at: position - 2)
            return length == 4 ? (Self.leadSurrogate(of: value), 2) : (0xfffd, 1)
        }
        let (value, length) = bytes.scalar(before: position)
        return length == 4 ? (Self.trailSurrogate(of: value), 2) : (UInt16(truncatingIfNeeded: value), length)
    }

    private static func leadSurrogate(of scalar: UInt32) -> UInt16 {
        UInt16(truncatingIfNeeded: (scalar &- 0x10000) >> 10 | 0xd800)
    }

    private static func trailSurrogate(of scalar: UInt32) -> UInt16 {
        UInt16(truncatingIfNeeded: scalar & 0x3ff | 0xdc00)
    }

    /// The number of units before each of `positions`; -1 stays -1.
    func unitOffsets(of positions: [Int32]) -> [Int32] {
        var result = positions
        var position = 0
        var offset: Int32 = 0
        for index in positions.indices.sorted(by: { positions[$0] < positions[$1] }) where positions[index] >= 0 {
            while position < positions[index] {
                position += unit(at: position).width
                offset += 1
            }
            result[index] = offset
        }
        return result
    }

    func firstOccurrence(of literal: UnitLiteral, from position: Int) -> Int? {
        literal.isASCII ? firstOccurrence(ofASCII: literal, from: position) : scan(for: literal, from: position)
    }

    /// The first position at or after `position` at which `literal` occurs, or `nil`. The literal is ASCII, so it has
    /// the same form in UTF-8.
    @inline(__always)
    func firstOccurrence(ofASCII literal: UnitLiteral, from position: Int) -> Int? {
        ASCIIInput(bytes: bytes).firstOccurrence(of: literal, from: position)
    }
}
