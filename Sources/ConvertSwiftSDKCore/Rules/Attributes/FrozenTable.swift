/// Rows that do not change any more, in memory of their own.
///
/// Reading an element of an array that a shared object holds counts references, at which threads wait for each other.
/// Invariant: every index is below `count`, because it is an entry of another table that the same builder made; the object
/// that makes a table frees it in its `deinit`, and whoever reads a row holds that object. Workloads W1x2 and W2 pay for it.
struct FrozenTable<Row: BitwiseCopyable & Sendable>: RandomAccessCollection, @unchecked Sendable {
    private let start: UnsafeMutablePointer<Row>

    /// How many rows there are.
    let count: Int

    /// A copy of `rows`, to be freed by ``deallocate()``.
    init(_ rows: [Row]) {
        count = rows.count
        start = .allocate(capacity: Swift.max(1, count))
        _ = UnsafeMutableBufferPointer(start: start, count: count).initialize(from: rows)
    }

    /// Frees the rows.
    func deallocate() { start.deallocate() }

    /// The row at `index`.
    subscript(index: Int) -> Row {
        @inline(__always) _read {
            assert(index >= 0 && index < count)
            yield start[index]
        }
    }

    var startIndex: Int { 0 }

    var endIndex: Int { count }

    /// All rows in memory.
    var elements: UnsafeBufferPointer<Row> {
        @inline(__always) get { UnsafeBufferPointer(start: start, count: count) }
    }
}
