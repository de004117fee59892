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
    /// The text's bits, which no other text has.
    @usableFromInline package let bits: StringBits

    /// `text` if it is short.
    @inlinable @inline(__always)
    package init?(_ text: String) {
        #if _endian(little) && _pointerBitWidth(_64) && !os(Android)
        bits = StringBits(text)
        if bits.second &>> 60 != 0b1110 || !Self.isTrusted { return nil }
        #else
        return nil
        #endif
    }

    /// The first eight bytes, the first one lowest.
    @inlinable package var prefix: UInt64 { @inline(__always) get { bits.first } }

    /// The bytes behind the prefix.
    @inlinable package var rest: UInt64 { @inline(__always) get { (bits.second &<< 8) &>> 8 } }

    /// How many bytes there are.
    @inlinable package var count: Int {
        @inline(__always) get { Int(truncatingIfNeeded: (bits.second &>> 56) & 0xF) }
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
