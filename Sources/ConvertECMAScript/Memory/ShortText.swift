/// A text of at most 15 ASCII bytes in two words, as the standard library keeps it in place of an address.
///
/// Most names and most attributes are as short. In two words they are hashed and compared without being lent as bytes,
/// which takes three times as long; workloads W1 and W6 pay for it.
///
/// Invariant: where pointers have 64 bits, the first byte is the lowest and no byte of an address is ignored, a ``String`` is
/// two words; the highest four bits of the second one are 1110 for such a text and for no other, the next four its length,
/// and all other bits its bytes, those that there are not zero. Elsewhere no text counts as short.
/// The compiler looks at two texts before code trusts in it, and `ShortTextTests` at many as a process makes them.
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

    /// Whether the compiler keeps texts as the invariant says. It knows literals, so optimized code has only the
    /// answer.
    @inlinable @inline(__always)
    static var isTrusted: Bool {
        #if _endian(little) && _pointerBitWidth(_64) && !os(Android)
        let (first, second) = unsafeBitCast("0123456789abcde", to: (UInt64, UInt64).self)
        // Of a text that is not ASCII only this is said: its highest bits are others.
        let other = unsafeBitCast("é", to: (UInt64, UInt64).self)
        return first == 0x3736_3534_3332_3130 && second == 0xEF65_6463_6261_3938 && other.1 &>> 60 != 0b1110
        #else
        return false
        #endif
    }
}
