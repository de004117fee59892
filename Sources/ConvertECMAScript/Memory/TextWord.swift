/// Checks on eight bytes of a text at once.
@usableFromInline
package enum TextWord {
    @inlinable static var high: UInt64 { @inline(__always) get { 0x8080_8080_8080_8080 } }

    /// Sets the high bit of each byte that is not ASCII or is a capital letter.
    @inlinable @inline(__always)
    package static func othersThanLowercase(_ word: UInt64) -> UInt64 {
        let low = word & ~high
        // The high bit of each byte shows whether it is at least "A", and whether it is beyond "Z".
        let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
        let beyondZ = low &+ 0x2525_2525_2525_2525
        return (word | (fromA & ~beyondZ)) & high
    }

    /// Whether all bytes are ASCII below "{", and no byte is a capital letter. So no byte is a "|".
    @inlinable @inline(__always)
    package static func isPlain(_ word: UInt64) -> Bool {
        let fromBrace = (word & ~high) &+ 0x0505_0505_0505_0505
        return (othersThanLowercase(word) | fromBrace & high) == 0
    }
}
