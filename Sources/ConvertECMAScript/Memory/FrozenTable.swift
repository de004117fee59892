/// Rows that do not change any more, in memory of their own.
///
/// Reading an element of an array that a shared object holds counts references, at which threads wait for each other.
/// Invariant: every index is below `count`, because it is an entry of another table that the same builder made; the object
/// that makes a table frees it in its `deinit`, and whoever reads a row holds that object. Workloads W1x2, W2 and W8 pay for it.
@usableFromInline
package struct FrozenTable<Row: BitwiseCopyable & Sendable>: RandomAccessCollection, @unchecked Sendable {
    @usableFromInline let start: UnsafeMutablePointer<Row>

    /// How many rows there are.
    @usableFromInline package let count: Int

    /// A copy of `rows`, to be freed by ``deallocate()``.
    @inlinable package init(_ rows: [Row]) {
        count = rows.count
        start = .allocate(capacity: Swift.max(1, count))
        _ = UnsafeMutableBufferPointer(start: start, count: count).initialize(from: rows)
    }

    /// Frees the rows.
    @inlinable package func deallocate() { start.deallocate() }

    /// The row at `index`.
    @inlinable package subscript(index: Int) -> Row {
        @inline(__always) get {
            assert(index >= 0 && index < count)
            return start[index]
        }
    }

    /// Where the row at `index` lies, for readers that want few of its members.
    @inlinable @inline(__always)
    package func pointer(at index: Int) -> UnsafePointer<Row> {
        assert(index >= 0 && index < count)
        return UnsafePointer(start + index)
    }

    /// The rows at `range`, which lies within the table.
    @inlinable package subscript(range: TableRange) -> UnsafeBufferPointer<Row> {
        @inline(__always) get {
            assert(range.count == 0 || range.start >= 0 && range.start + range.count <= count)
            return UnsafeBufferPointer(start: UnsafePointer(start + range.start), count: range.indices.count)
        }
    }

    @inlinable @inline(__always) package var startIndex: Int { 0 }

    @inlinable @inline(__always) package var endIndex: Int { count }

    /// All rows in memory.
    @inlinable package var elements: UnsafeBufferPointer<Row> {
        @inline(__always) get { UnsafeBufferPointer(start: start, count: count) }
    }
}
