internal import ConvertECMAScript

/// The memory of ``Attributes``: attributes, truths and verdicts in one allocation, which is freed with its owner.
///
/// A context is created for every request, and each allocation takes as long as comparing ten attributes (W1).
///
/// Invariant: the rows never move, and their number never changes and equals the layout's. Truths and verdicts follow
/// the attributes, one byte each.
struct AttributeRows: ~Copyable {
    /// Words, because rows have the alignment of words. Zeroed memory means unresolved attributes, unknown truths and
    /// missing verdicts.
    private let memory: ManagedBuffer<AttributeHeader, UInt64>

    /// Creates rows in which no slot is resolved.
    @inline(__always)
    init(_ layout: AttributeLayout) {
        assert(MemoryLayout<Attribute>.alignment <= MemoryLayout<UInt64>.alignment && MemoryLayout<Truth>.size == 1)
        memory = .create(minimumCapacity: layout.wordCount) { _ in AttributeHeader(layout: layout) }
        unsafe memory.withUnsafeMutablePointerToElements { words in
            unsafe words.initialize(repeating: 0, count: layout.wordCount)
            let start = UnsafeMutableRawPointer(words)
            unsafe start.bindMemory(to: Attribute.self, capacity: layout.slotCount)
            unsafe (start + layout.truthOffset).bindMemory(to: Truth.self, capacity: layout.truthCount)
            unsafe (start + layout.verdictOffset).bindMemory(to: UInt8.self, capacity: layout.verdictCount)
        }
    }

    /// A copy, including the answers found so far.
    borrowing func copy() -> AttributeRows {
        withTable { table in
            let copy = AttributeRows(table.layout)
            copy.withTable { $0.copyContents(of: table) }
            return copy
        }
    }

    /// Passes the rows to `body`.
    @inline(__always)
    borrowing func withTable<Result: ~Copyable>(_ body: (AttributeTable) -> Result) -> Result {
        unsafe memory.withUnsafeMutablePointers { unsafe body(AttributeTable($0, $1)) }
    }
}

/// The header of the rows of ``Attributes``.
struct AttributeHeader {
    let layout: AttributeLayout
    /// Whether a sweep has stored its verdicts.
    var hasSweptVerdicts = false
}
