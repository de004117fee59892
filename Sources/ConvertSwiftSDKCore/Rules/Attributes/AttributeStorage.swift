internal import ConvertECMAScript

/// The memory behind ``Attributes``: the object, slots, truths, verdicts and texts in one allocation, because a context is
/// made for every request and each allocation costs it as much as a comparison of ten attributes (W1).
///
/// Layout: the header, the attributes, the truths, the verdicts, the room for texts and some bytes of slack. Texts that
/// outgrow their room move to memory of their own.
///
/// Invariants: the parts never move, except for the texts, and never change their size, so every pointer of the
/// ``AttributeTable`` stays within the allocation; each part is bound to its type from the start, and initialized but
/// for the unused rest of the texts; all but the header's `source` is trivial, and `deinit` ends it; nobody else has the
/// storage, which cannot be copied but by ``copy()``, and pointers to it are used only while it lives. The object's arrays stay where they are as long as the storage holds it, since nobody writes to what is held here.
@usableFromInline
struct AttributeStorage: ~Copyable {
    private struct Header {
        var table: AttributeTable
        var source: JSObject
    }

    private let header: UnsafeMutablePointer<Header>

    /// A storage of `source`, in which no slot is resolved.
    @inline(__always)
    init(_ source: consuming JSObject, _ layout: AttributeLayout, textCapacity: Int) {
        assert(_isPOD(AttributeTable.self) && _isPOD(Attribute.self))
        assert(MemoryLayout<Attribute>.alignment <= 8 && MemoryLayout<Truth>.size == 1)
        let memory = HeapMemory.allocate(
            byteCount: MemoryLayout<Header>.stride &+ layout.byteCount &+ textCapacity &+ AttributeTexts.slack)
        let start = memory + MemoryLayout<Header>.stride
        // In one go: an attribute that is unresolved, an unknown truth and a verdict that was not found are all zeros.
        start.initializeMemory(as: UInt8.self, repeating: 0, count: layout.byteCount)
        let truths = start + layout.slotCount &* MemoryLayout<Attribute>.stride
        let verdicts = truths + layout.truthCount
        let table = AttributeTable(
            slotStart: start.bindMemory(to: Attribute.self, capacity: layout.slotCount),
            truthStart: truths.bindMemory(to: Truth.self, capacity: layout.truthCount),
            verdictStart: verdicts.bindMemory(to: UInt8.self, capacity: layout.verdictCount), layout: layout,
            texts: AttributeTexts(verdicts + layout.verdictCount, capacity: textCapacity),
            source: source.withView { $0 })
        header = memory.initializeMemory(as: Header.self, to: Header(table: table, source: source))
    }

    deinit {
        header.pointee.table.texts.deallocate()
        // What is added to the header and holds a reference must be ended here, too.
        if let source = header.pointer(to: \.source) { JSObject.deinitialize(at: source) }
        HeapMemory.deallocate(header)
    }

    /// A copy with as much room for texts.
    borrowing func copy() -> AttributeStorage {
        let table = table.pointee
        let copy = AttributeStorage(source, table.layout, textCapacity: table.texts.capacity)
        copy.table.pointee.copyContents(of: table)
        return copy
    }

    /// The object that attributes come from.
    var source: JSObject { header.pointee.source }

    /// Where the attributes lie.
    var table: UnsafeMutablePointer<AttributeTable> {
        @inline(__always)
        get {
            // The header's first member.
            UnsafeMutableRawPointer(header).assumingMemoryBound(to: AttributeTable.self)
        }
    }
}
