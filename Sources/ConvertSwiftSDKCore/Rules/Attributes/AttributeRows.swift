internal import ConvertECMAScript

/// The memory behind ``Attributes``: attributes, truths and verdicts in one allocation, which is freed with its owner.
///
/// A context is made for every request, and each allocation costs it as much as a comparison of ten attributes (W1).
///
/// Invariant: the rows never move and never change their number, and there are as many as the layout says. Truths and
/// verdicts lie behind the attributes, as bytes.
struct AttributeRows: ~Copyable {
    /// Words, since rows are aligned to them. All zeros are attributes that are unresolved, unknown truths and verdicts that
    /// were not found.
    private let memory: ManagedBuffer<AttributeHeader, UInt64>

    /// Rows in which no slot is resolved.
    @inline(__always)
    init(_ layout: AttributeLayout) {
        assert(MemoryLayout<Attribute>.alignment <= MemoryLayout<UInt64>.alignment && MemoryLayout<Truth>.size == 1)
        memory = .create(minimumCapacity: layout.wordCount) { _ in AttributeHeader(layout: layout) }
        memory.withUnsafeMutablePointerToElements { words in
            words.initialize(repeating: 0, count: layout.wordCount)
            let start = UnsafeMutableRawPointer(words)
            start.bindMemory(to: Attribute.self, capacity: layout.slotCount)
            (start + layout.truthOffset).bindMemory(to: Truth.self, capacity: layout.truthCount)
            (start + layout.verdictOffset).bindMemory(to: UInt8.self, capacity: layout.verdictCount)
        }
    }

    /// A copy, with what was found so far.
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
        memory.withUnsafeMutablePointers { body(AttributeTable($0, $1)) }
    }
}

/// What the rows of ``Attributes`` are.
struct AttributeHeader {
    let layout: AttributeLayout
    /// Whether the verdicts that a sweep finds are there.
    var hasSweptVerdicts = false
}
