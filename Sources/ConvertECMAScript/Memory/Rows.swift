/// An array of rows with a single owner, in memory that is freed with it.
///
/// It replaces arrays that many threads read: with an array, they would wait for each other at each read. Unsafe code
/// for speed: W1x2, W2, W7, W8.
///
/// Invariant: every index is below `count`, because the code that filled the rows also made the index; debug builds
/// check it. A view of the rows is used only while the rows live and no row is added.
@usableFromInline
@safe
package struct Rows<Row>: ~Copyable {
    @usableFromInline var start: UnsafeMutablePointer<Row>
    @usableFromInline var capacity: Int

    /// The number of rows.
    @usableFromInline package internal(set) var count: Int

    /// Creates an empty array with this capacity. A capacity of 0 allocates no memory.
    @inlinable package init(capacity: Int = 0) {
        self.capacity = capacity
        unsafe start = capacity == 0 ? Self.nowhere : .allocate(capacity: capacity)
        count = 0
    }

    /// A non-null pointer that is never dereferenced.
    @inlinable static var nowhere: UnsafeMutablePointer<Row> {
        unsafe UnsafeMutablePointer(bitPattern: MemoryLayout<Row>.alignment).unsafelyUnwrapped
    }

    /// Creates a copy of `rows`.
    @inlinable package init(_ rows: [Row]) {
        self.init(capacity: rows.count)
        rows.withElements { append(contentsOf: $0) }
    }

    /// Creates `count` equal rows.
    @inlinable package init(repeating row: Row, count: Int) {
        self.init(capacity: count)
        unsafe start.initialize(repeating: row, count: count)
        self.count = count
    }

    /// Creates a copy of `rows`.
    @inlinable package init(copying rows: borrowing Rows<Row>) {
        self.init(capacity: rows.count)
        append(contentsOf: rows.elements)
    }

    @inlinable deinit {
        if capacity == 0 { return }
        unsafe start.deinitialize(count: count)
        unsafe start.deallocate()
    }

    /// The row at `index`.
    @inlinable package subscript(index: Int) -> Row {
        @inline(__always) unsafeAddress {
            assert(index >= 0 && index < count)
            return unsafe UnsafePointer(start + index)
        }
        @inline(__always) unsafeMutableAddress {
            assert(index >= 0 && index < count)
            return unsafe start + index
        }
    }

    /// The rows at `range`, which must be within the rows.
    @inlinable package subscript(range: TableRange) -> Borrowed<Row> {
        @inline(__always) get {
            assert(range.count == 0 || range.start >= 0 && range.start + range.count <= count)
            return unsafe Borrowed(UnsafeBufferPointer(start: start + range.start, count: range.indices.count))
        }
    }

    /// All rows in memory.
    @inlinable package var elements: Borrowed<Row> {
        @inline(__always) get { unsafe Borrowed(UnsafeBufferPointer(start: start, count: count)) }
    }

    /// The indices of all rows.
    @inlinable package var indices: Range<Int> {
        @inline(__always) get { 0..<count }
    }

    /// Whether there is no row.
    @inlinable package var isEmpty: Bool {
        @inline(__always) get { count == 0 }
    }

    /// Adds `row`.
    @inlinable @inline(__always)
    package mutating func append(_ row: Row) {
        if count == capacity { makeRoom(for: 1) }
        unsafe (start + count).initialize(to: row)
        count &+= 1
    }

    /// Adds `rows`, which must be in other memory.
    @inlinable package mutating func append(contentsOf rows: Borrowed<Row>) {
        guard let first = unsafe rows.buffer.baseAddress else { return }
        if capacity &- count < rows.count { makeRoom(for: rows.count) }
        unsafe (start + count).initialize(from: first, count: rows.count)
        count &+= rows.count
    }

    /// Removes the last `removed` rows. There must be at least as many rows.
    @inlinable @inline(__always)
    package mutating func removeLast(_ removed: Int) {
        assert(removed >= 0 && removed <= count)
        count &-= removed
        unsafe (start + count).deinitialize(count: removed)
    }

    /// Removes and returns the last row. There must be at least one row.
    @inlinable @inline(__always)
    package mutating func removeLast() -> Row {
        assert(count > 0)
        count &-= 1
        return unsafe (start + count).move()
    }

    @inlinable @inline(__always)
    mutating func makeRoom(for added: Int) {
        // Keep the sizes as arguments: if `move` takes `self`, appending is slower.
        let larger = max(capacity * 2, count + added)
        unsafe start = Self.move(start, count: count, capacity: capacity, toRoomFor: larger)
        capacity = larger
    }

    @inlinable @inline(never)
    static func move(
        _ rows: UnsafeMutablePointer<Row>, count: Int, capacity: Int, toRoomFor larger: Int
    ) -> UnsafeMutablePointer<Row> {
        let moved = UnsafeMutablePointer<Row>.allocate(capacity: larger)
        unsafe moved.moveInitialize(from: rows, count: count)
        if capacity != 0 { unsafe rows.deallocate() }
        return unsafe moved
    }
}

// Safe: the memory has a single owner, and shared rows do not change.
extension Rows: @unchecked Sendable where Row: Sendable {}

extension Rows<UInt8> {
    /// The text at `range`; empty if the range is not within the bytes.
    @inlinable @inline(__always)
    package func text(at range: TableRange) -> ByteText { ByteText(elements, range) }
}
