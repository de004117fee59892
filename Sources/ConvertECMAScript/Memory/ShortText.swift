/// A text of at most 15 ASCII bytes in two words, as the standard library keeps it in place of an address.
///
/// Most names and most attributes are as short. In two words they are hashed and compared without being lent as bytes,
/// which takes three times as long; workloads W1 and W6 pay for it.
///
/// Invariant: where pointers have 64 bits, the first byte is the lowest and no byte of an address is ignored, a ``String`` is
/// two words; the highest four bits of the second one are 1110 for such a text and for no other, the next four its length,
/// and all other bits its bytes, those that there are not zero. Elsewhere no text counts as short.
/// A process looks at some texts before it trusts in it, and `ShortTextTests` at many.
@usableFromInline
package struct ShortText: BitwiseCopyable {
    /// The first eight bytes, the first one lowest.
    @usableFromInline package let prefix: UInt64
    /// The bytes behind the prefix.
    @usableFromInline package let rest: UInt64
    @usableFromInline package let count: Int

    /// `text` if it is short.
    @inlinable @inline(__always)
    package init?(_ text: String) {
        #if _endian(little) && _pointerBitWidth(_64) && !os(Android)
        let (first, second) = unsafeBitCast(text, to: (UInt64, UInt64).self)
        if second &>> 60 != 0b1110 || !Self.isTrusted { return nil }
        prefix = first
        rest = (second &<< 8) &>> 8
        count = Int(truncatingIfNeeded: (second &>> 56) & 0xF)
        #else
        return nil
        #endif
    }

    /// Whether the standard library keeps texts as it is thought to: it may be another one than the package was tested with.
    @usableFromInline
    static let isTrusted: Bool = {
        #if _endian(little) && _pointerBitWidth(_64) && !os(Android)
        guard MemoryLayout<String>.size == 16 else { return false }
        func words(_ text: String) -> (UInt64, UInt64) { unsafeBitCast(text, to: (UInt64, UInt64).self) }
        // Made of parts, so that no compiler knows them.
        let digits = (1...9).map { "\($0)" }.joined()
        let isShortAsThought = ["", digits, digits + "abcdef", "~"].allSatisfy { text in
            var expected: (UInt64, UInt64) = (0, 0b1110 << 60 | UInt64(text.utf8.count) << 56)
            for (index, byte) in text.utf8.enumerated() {
                if index < 8 {
                    expected.0 |= UInt64(byte) << (8 * index)
                } else {
                    expected.1 |= UInt64(byte) << (8 * (index - 8))
                }
            }
            return words(text) == expected
        }
        // What is longer, or not ASCII, does not pass for short.
        let others = [digits + "abcdefg", digits + "é", "é", "\u{0}é"]
        return isShortAsThought && others.allSatisfy { words($0).1 >> 60 != 0b1110 }
        #else
        return false
        #endif
    }()
}
