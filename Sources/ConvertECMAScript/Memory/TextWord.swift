/// Checks on eight bytes of a text at once.
@usableFromInline
package enum TextWord {
    @inlinable static var high: UInt64 { @inline(__always) get { 0x8080_8080_8080_8080 } }

    /// Sets the high bit of each byte that is not ASCII or is a capital letter.
    @inlinable @inline(__always)
    package static func othersThanLowercase(_ word: UInt64) -> UInt64 {
        let low = word & ~high
        // The high bit of each byte shows whether it is at least "A", and whether it is beyond "Z". Each byte's sum is
        // at most 255, so no byte changes the next one.
        let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
        let beyondZ = low &+ 0x2525_2525_2525_2525
        return (word | (fromA & ~beyondZ)) & high
    }

    /// Whether all bytes are ASCII below "{", and no byte is a capital letter. Then no byte is a "|" either.
    @inlinable @inline(__always)
    package static func isPlain(_ word: UInt64) -> Bool {
        let fromBrace = (word & ~high) &+ 0x0505_0505_0505_0505
        return (othersThanLowercase(word) | fromBrace & high) == 0
    }

    /// Sets the highest bit of the first byte in `word` that is a quote, a backslash, a control character or not ASCII.
    /// Bits of later bytes have no meaning.
    @inlinable @inline(__always)
    package static func specialBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5c)
        // The subtraction borrows from a byte that is smaller, and so sets its highest bit.
        let zeros = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        let controls = (word &- (ones &* 0x20)) & ~word
        return (zeros | controls | word) & (ones &* 0x80)
    }
}
