/// The two words of a `String`: a text of at most 15 bytes itself, or where a longer one lies.
///
/// Texts of the same bits are the same. It spares a look-up by name, which nearly always finds its name, the way to the
/// bytes; workloads W1 and W6 pay for it.
///
/// Invariant: where pointers have 64 bits a `String` is two words, which are only compared. The bits of a text that is gone
/// say nothing, so whoever keeps bits keeps their text, unless that is a ``ShortText``. Elsewhere no bits match.
@usableFromInline
package struct StringBits: BitwiseCopyable, Sendable {
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64

    /// Bits that no text has.
    package init() {
        first = 0
        second = 0
    }

    /// The bits of `text`.
    @inlinable @inline(__always)
    package init(_ text: String) {
        #if _pointerBitWidth(_64)
        (first, second) = unsafeBitCast(text, to: (UInt64, UInt64).self)
        #else
        (first, second) = (0, 0)
        #endif
    }

    /// The bits of the text at `text`, which is not counted for it.
    @inlinable @inline(__always)
    init(at text: UnsafePointer<String>) {
        #if _pointerBitWidth(_64)
        let text = UnsafeRawPointer(text)
        first = text.loadUnaligned(as: UInt64.self)
        second = text.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        #else
        (first, second) = (0, 0)
        #endif
    }

    /// Whether both are the bits of the same text. If not, it may be the same in other bits.
    @inlinable @inline(__always)
    package func match(_ other: StringBits) -> Bool {
        #if _pointerBitWidth(_64)
        // One question for both words, since the answer to the first is seldom known.
        return (first ^ other.first) | (second ^ other.second) == 0
        #else
        return false
        #endif
    }
}
