/// A literal: at each place one unit or, if case is ignored, one of two units.
struct UnitLiteral: Sendable {
    private(set) var firsts: [UInt16] = []
    private(set) var seconds: [UInt16] = []

    var count: Int { firsts.count }

    /// Whether all units are ASCII, in both of their forms.
    private(set) var isASCII = true

    mutating func append(_ first: UInt16, _ second: UInt16) {
        firsts.append(first)
        seconds.append(second)
        isASCII = isASCII && first < 128 && second < 128
    }

    mutating func append(contentsOf other: UnitLiteral) {
        firsts += other.firsts
        seconds += other.seconds
        isASCII = isASCII && other.isASCII
    }

    /// Shortens the literal to the common beginning with `other`.
    mutating func formCommonPrefix(with other: UnitLiteral) {
        keep(zip(zip(firsts, seconds), zip(other.firsts, other.seconds)).prefix { $0 == $1 }.count)
    }

    /// Shortens the literal to its ASCII prefix, which has the same form in UTF-8 and UTF-16.
    mutating func formASCIIPrefix() {
        keep(zip(firsts, seconds).prefix { $0 < 128 && $1 < 128 }.count)
    }

    private mutating func keep(_ length: Int) {
        firsts.removeLast(firsts.count - length)
        seconds.removeLast(seconds.count - length)
        isASCII = zip(firsts, seconds).allSatisfy { $0 < 128 && $1 < 128 }
    }

    /// The first position at or after `start` at which the literal occurs in `input`, or `nil`.
    @inline(__always)
    func firstOccurrence(in input: some RegExpInput, from start: Int) -> Int? {
        guard count > 0 else { return start }
        return input.firstOccurrence(of: self, from: start)
    }

    /// Whether the literal occurs at `position`.
    @inline(__always)
    func matches(_ input: some RegExpInput, at position: Int) -> Bool {
        var position = position
        for index in firsts.indices {
            guard position < input.count else { return false }
            let (unit, width) = input.unit(at: position)
            if unit != firsts[index], unit != seconds[index] { return false }
            position += width
        }
        return true
    }
}

extension RegExpInput {
    /// The first position at or after `start` at which `literal` occurs, or `nil`. Compares unit by unit. `literal`
    /// must not be empty.
    @inline(__always)
    func scan(for literal: UnitLiteral, from start: Int) -> Int? {
        // Each unit takes at least one byte.
        let last = count - literal.count
        let (first, second) = (literal.firsts[0], literal.seconds[0])
        var position = start
        while position <= last {
            let (unit, width) = unit(at: position)
            if unit == first || unit == second, literal.matches(self, at: position) { return position }
            position += width
        }
        return nil
    }
}

extension ASCIIInput {
    /// The first position at or after `start` at which `literal` occurs, or `nil`. Checks sixteen positions at a time
    /// for the literal's first and second unit, and compares the whole literal where both match.
    func firstOccurrence(of literal: UnitLiteral, from start: Int) -> Int? {
        let step = Bytes.scalarCount
        let last = bytes.count - literal.count
        guard literal.count > 1, bytes.count > step else { return scan(for: literal, from: start) }
        let first = BytePattern(literal, 0)
        let second = BytePattern(literal, 1)
        var position = start
        while position <= last {
            // The last step may check some positions of the previous step again.
            let offset = min(position, bytes.count - step - 1)
            let firsts = first.hits(bytes.block(at: offset))
            let seconds = second.hits(bytes.block(at: offset + 1))
            let hits = firsts & seconds
            if hits != Halves() {
                for half in hits.indices {
                    var bits = hits[half]
                    while bits != 0 {
                        let place = bits.trailingZeroBitCount >> 3
                        let candidate = offset + 8 * half + place
                        if candidate >= position, candidate <= last, literal.matches(self, at: candidate) {
                            return candidate
                        }
                        bits &= ~(0xff << UInt64(8 * place))
                    }
                }
            }
            position = offset + step
        }
        return nil
    }
}

private typealias Bytes = SIMD16<UInt8>
/// One byte for each byte of ``Bytes``, with all bits set or none.
private typealias Halves = SIMD2<UInt64>

/// One of a literal's units, repeated in all bytes of a step. Bits in which the unit's two forms differ are ignored.
private struct BytePattern {
    private let value: Bytes
    private let ignored: Bytes

    init(_ literal: UnitLiteral, _ offset: Int) {
        let (first, second) = (literal.firsts[offset], literal.seconds[offset])
        ignored = Bytes(repeating: UInt8(truncatingIfNeeded: first ^ second))
        value = Bytes(repeating: UInt8(truncatingIfNeeded: first | second))
    }

    /// Marks the bytes that match.
    @inline(__always)
    func hits(_ bytes: Bytes) -> Halves {
        Halves(mask: (bytes | ignored) .== value)
    }
}
