/// Rows in memory of their own, which is freed with them.
///
/// Reading an element of an array that a shared object holds counts references, at which threads wait for each other, and
/// writing one asks whether the array is shared. Rows have one owner, so neither is needed. Workloads W1x2, W2, W7 and W8
/// pay for it.
///
/// Invariant: every index is below `count`, because it is an entry of another table that the same compiler made; a debug
/// build checks it. A buffer or a text that lies in rows is used only while they live and no row is added.
@usableFromInline
package struct Rows<Row>: ~Copyable {
    @usableFromInline var start: UnsafeMutablePointer<Row>
    @usableFromInline var capacity: Int

    /// How many rows there are.
    @usableFromInline package internal(set) var count: Int

    /// No rows, with room for so many. No room takes no memory.
    @inlinable package init(capacity: Int = 0) {
        self.capacity = capacity
        start = capacity == 0 ? Self.nowhere : .allocate(capacity: capacity)
        count = 0
    }

    /// What is never read or written.
    @inlinable static var nowhere: UnsafeMutablePointer<Row> {
        UnsafeMutablePointer(bitPattern: MemoryLayout<Row>.alignment).unsafelyUnwrapped
    }

    /// A copy of `rows`.
    @inlinable package init(_ rows: [Row]) {
        self.init(capacity: rows.count)
        rows.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// As many rows, all alike.
    @inlinable package init(repeating row: Row, count: Int) {
        self.init(capacity: count)
        start.initialize(repeating: row, count: count)
        self.count = count
    }

    /// A copy of `rows`.
    @inlinable package init(copying rows: borrowing Rows<Row>) {
        self.init(capacity: rows.count)
        append(contentsOf: rows.elements)
    }

    @inlinable deinit {
        start.deinitialize(count: count)
        if capacity != 0 { start.deallocate() }
    }

    /// The row at `index`.
    @inlinable package subscript(index: Int) -> Row {
        @inline(__always) unsafeAddress {
            assert(index >= 0 && index < count)
            return UnsafePointer(start + index)
        }
        @inline(__always) unsafeMutableAddress {
            assert(index >= 0 && index < count)
            return start + index
        }
    }

    /// The rows at `range`, which lies within them.
    @inlinable package subscript(range: TableRange) -> UnsafeBufferPointer<Row> {
        @inline(__always) get {
            assert(range.count == 0 || range.start >= 0 && range.start + range.count <= count)
            return UnsafeBufferPointer(start: start + range.start, count: range.indices.count)
        }
    }

    /// All rows in memory.
    @inlinable package var elements: UnsafeBufferPointer<Row> {
        @inline(__always) get { UnsafeBufferPointer(start: start, count: count) }
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
        (start + count).initialize(to: row)
        count &+= 1
    }

    /// Adds `rows`, which lie elsewhere.
    @inlinable package mutating func append(contentsOf rows: UnsafeBufferPointer<Row>) {
        guard let first = rows.baseAddress else { return }
        if capacity &- count < rows.count { makeRoom(for: rows.count) }
        (start + count).initialize(from: first, count: rows.count)
        count &+= rows.count
    }

    /// Removes as many rows at the end. There must be so many.
    @inlinable @inline(__always)
    package mutating func removeLast(_ removed: Int) {
        assert(removed >= 0 && removed <= count)
        count &-= removed
        (start + count).deinitialize(count: removed)
    }

    /// Removes and returns the last row. There must be one.
    @inlinable @inline(__always)
    package mutating func removeLast() -> Row {
        assert(count > 0)
        count &-= 1
        return (start + count).move()
    }

    @inlinable @inline(__always)
    mutating func makeRoom(for added: Int) {
        // By value, so that rows in a local variable can stay in registers.
        let larger = max(capacity * 2, count + added)
        start = Self.move(start, count: count, capacity: capacity, toRoomFor: larger)
        capacity = larger
    }

    // Apart, because most rows are added where there is room.
    @inlinable @inline(never)
    static func move(
        _ rows: UnsafeMutablePointer<Row>, count: Int, capacity: Int, toRoomFor larger: Int
    ) -> UnsafeMutablePointer<Row> {
        let moved = UnsafeMutablePointer<Row>.allocate(capacity: larger)
        moved.moveInitialize(from: rows, count: count)
        if capacity != 0 { rows.deallocate() }
        return moved
    }
}

// The memory has one owner, and whoever shares rows shares them unchanged.
extension Rows: @unchecked Sendable where Row: Sendable {}

extension Rows<UInt8> {
    /// The text at `range`; empty if that does not lie within the bytes.
    @inlinable @inline(__always)
    package func text(at range: TableRange) -> ByteText { ByteText(elements, range) }
}
