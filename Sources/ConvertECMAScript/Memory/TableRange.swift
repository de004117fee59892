/// A range of elements in a table. It takes half the size of a `Range<Int>`, because conditions and attributes hold
/// many ranges.
@usableFromInline
package struct TableRange: Sendable, Hashable, BitwiseCopyable {
    @usableFromInline let first: Int32
    @usableFromInline let length: Int32

    @inlinable package init(start: Int = 0, count: Int = 0) {
        first = Int32(truncatingIfNeeded: start)
        length = Int32(truncatingIfNeeded: count)
    }

    @inlinable @inline(__always)
    package var start: Int { Int(first) }

    @inlinable @inline(__always)
    package var count: Int { Int(length) }

    /// The elements' indices.
    @inlinable @inline(__always)
    package var indices: Range<Int> { start..<(start &+ max(0, count)) }
}
