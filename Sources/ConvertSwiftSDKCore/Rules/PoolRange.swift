/// A range of elements in a pool. Half the size of a range of integers, since conditions and attributes hold many.
struct PoolRange: Sendable {
    private let first: Int32
    private let length: Int32

    init(start: Int = 0, count: Int = 0) {
        first = Int32(truncatingIfNeeded: start)
        length = Int32(truncatingIfNeeded: count)
    }

    @inline(__always)
    var start: Int { Int(first) }

    @inline(__always)
    var count: Int { Int(length) }

    /// The elements' indices.
    @inline(__always)
    var indices: Range<Int> { start..<(start &+ max(0, count)) }
}
