internal import ConvertECMAScript

/// The memory of ``Attributes``: attributes, truths and verdicts in one allocation, which is freed with its owner.
///
/// Invariant: the rows never move, and their number never changes and equals the layout's. Truths and verdicts follow
/// the attributes, one byte each.
// Keep a single allocation: every request makes it, and it takes as long as comparing ten attributes (W1).
@safe
struct AttributeRows: ~Copyable {
    private let start: UnsafeMutableRawPointer
    private let layout: AttributeLayout

    /// Creates rows in which no slot is resolved.
    @inline(__always)
    init(_ layout: AttributeLayout) {
        assert(MemoryLayout<Attribute>.alignment <= MemoryLayout<UInt64>.alignment && MemoryLayout<Truth>.size == 1)
        self.layout = layout
        // Words, because rows have the alignment of words. Zeroed memory means unresolved attributes, unknown truths
        // and missing verdicts.
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: layout.wordCount)
        unsafe words.initialize(repeating: 0, count: layout.wordCount)
        unsafe start = UnsafeMutableRawPointer(words)
        unsafe start.bindMemory(to: Attribute.self, capacity: layout.slotCount)
        unsafe (start + layout.truthOffset).bindMemory(to: Truth.self, capacity: layout.truthCount)
        unsafe (start + layout.verdictOffset).bindMemory(to: UInt8.self, capacity: layout.verdictCount)
    }

    deinit { unsafe start.deallocate() }

    borrowing func copy() -> AttributeRows {
        let copy = AttributeRows(layout)
        copy.table.copyContents(of: table)
        return copy
    }

    /// The rows. The table is used only while the rows live.
    var table: AttributeTable {
        @inline(__always) get { unsafe AttributeTable(start, layout) }
    }
}
