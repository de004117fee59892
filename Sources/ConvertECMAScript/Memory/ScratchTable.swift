/// Rows that are written while one event is put to rules, in memory of their own.
///
/// Writing an element of an array asks whether it is shared. Invariant: every index is below `count`, because it is an entry
/// of a ``FrozenTable`` of the rules that the rows were made for. Workload W8 pays for it.
@usableFromInline
package struct ScratchTable<Row: BitwiseCopyable & Sendable>: ~Copyable {
    @usableFromInline let start: UnsafeMutablePointer<Row>

    /// How many rows there are.
    @usableFromInline package let count: Int

    /// As many rows, all alike.
    @inlinable
    package init(repeating row: Row, count: Int) {
        self.count = count
        start = .allocate(capacity: Swift.max(1, count))
        start.initialize(repeating: row, count: count)
    }

    /// A copy of `rows`.
    @inlinable
    package init(_ rows: FrozenTable<Row>) {
        count = rows.count
        start = .allocate(capacity: Swift.max(1, count))
        start.initialize(from: rows.start, count: count)
    }

    deinit { start.deallocate() }

    /// The row at `index`.
    @inlinable package subscript(index: Int) -> Row {
        @inline(__always) get {
            assert(index >= 0 && index < count)
            return start[index]
        }
        @inline(__always) set {
            assert(index >= 0 && index < count)
            start[index] = newValue
        }
    }
}
