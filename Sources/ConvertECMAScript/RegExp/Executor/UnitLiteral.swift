/// A literal: at each place one unit or, where case is ignored, one of two.
struct UnitLiteral: Sendable {
    private(set) var firsts: [UInt16] = []
    private(set) var seconds: [UInt16] = []

    var count: Int { firsts.count }

    /// Whether every unit is ASCII, in both its forms.
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

    /// Shortens the literal to what `other` begins with too.
    mutating func formCommonPrefix(with other: UnitLiteral) {
        keep(zip(zip(firsts, seconds), zip(other.firsts, other.seconds)).prefix { $0 == $1 }.count)
    }

    /// Shortens the literal to the ASCII that it begins with: that stands in UTF-8 as it stands in UTF-16.
    mutating func formASCIIPrefix() {
        keep(zip(firsts, seconds).prefix { $0 < 128 && $1 < 128 }.count)
    }

    private mutating func keep(_ length: Int) {
        firsts.removeLast(firsts.count - length)
        seconds.removeLast(seconds.count - length)
        isASCII = zip(firsts, seconds).allSatisfy { $0 < 128 && $1 < 128 }
    }

    /// Where the literal first stands in `input` at or after `start`.
    @inline(__always)
    func firstOccurrence(in input: some RegExpInput, from start: Int) -> Int? {
        guard count > 0 else { return start }
        return input.firstOccurrence(of: self, from: start)
    }

    /// Whether the literal stands at `position`.
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
    /// Where `literal`, which is not empty, first stands at or after `start`, unit by unit.
    @inline(__always)
    func scan(for literal: UnitLiteral, from start: Int) -> Int? {
        // No unit takes less than a byte.
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
    /// Eight places at a time: where the literal's first and second unit could stand, then those one by one.
    ///
    /// The words are read through a raw pointer, since nothing else reads eight bytes at once. A word at `position` and
    /// the one after it end at `position + 9`, which the loop keeps within the buffer.
    func firstOccurrence(of literal: UnitLiteral, from start: Int) -> Int? {
        let last = bytes.count - literal.count
        guard literal.count > 1, let base = UnsafeRawPointer(bytes.baseAddress) else {
            return scan(for: literal, from: start)
        }
        let first = BytePattern(literal, 0)
        let second = BytePattern(literal, 1)
        var position = start
        while position <= last, position + 9 <= bytes.count {
            let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let nextWord = base.loadUnaligned(fromByteOffset: position + 1, as: UInt64.self)
            var hits = first.hits(UInt64(littleEndian: word)) & second.hits(UInt64(littleEndian: nextWord))
            while hits != 0 {
                let candidate = position + hits.trailingZeroBitCount >> 3
                if candidate <= last, literal.matches(self, at: candidate) { return candidate }
                hits &= hits - 1
            }
            position += 8
        }
        return scan(for: literal, from: position)
    }
}

/// One of a literal's units in all eight bytes of a word. Bits in which its two forms differ are not compared.
private struct BytePattern {
    private let value: UInt64
    private let ignored: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    init(_ literal: UnitLiteral, _ offset: Int) {
        let (first, second) = (literal.firsts[offset], literal.seconds[offset])
        ignored = UInt64((first ^ second) & 0xff) * Self.ones
        value = UInt64((first | second) & 0xff) * Self.ones
    }

    /// The highest bit of every byte that fits. A byte after one that fits may be marked too, none is missed.
    @inline(__always)
    func hits(_ word: UInt64) -> UInt64 {
        let difference = word | ignored ^ value
        return (difference &- Self.ones) & ~difference & (Self.ones << 7)
    }
}
