internal import ConvertECMAScript

/// The memory behind ``Attributes``: slots, truths, verdicts and texts in one allocation, because a context is made for
/// every request and four arrays cost four times as much to make and to free.
///
/// Layout, from the first element on: the attributes, the truths, the verdicts, the room for texts and some bytes of
/// slack. Texts that outgrow their room move to memory of their own.
///
/// Invariants: the parts never move, except for the texts, and never change their size, so every pointer of the
/// ``AttributeTable`` stays within the allocation; each part is bound to its type from the start, and initialized but
/// for the unused rest of the texts; all of it is trivial; whoever writes holds the only reference. Everything goes
/// through pointers, since the accessors of a class check at run time that accesses do not overlap, which took longer
/// than the accesses. The source's arrays stay where they are as long as the storage holds it, since nobody writes to
/// what is held here.
final class AttributeStorage: ManagedBuffer<AttributeStorage.Header, UInt64> {
    struct Header {
        fileprivate var table: AttributeTable
        let source: JSObject
    }

    /// A storage of `source`, in which no slot is resolved.
    static func make(
        _ source: consuming JSObject, slots: Int, truths: Int, verdicts: Int, textCapacity: Int
    ) -> AttributeStorage {
        assert(_isPOD(Attribute.self) && MemoryLayout<Attribute>.alignment <= 8 && MemoryLayout<Truth>.size == 1)
        let fixed = slots * MemoryLayout<Attribute>.stride + truths + verdicts
        // Taken out by the closure, which would copy what it cannot consume.
        var source = Optional(source)
        let buffer = create(minimumCapacity: (fixed + textCapacity + AttributeTexts.slack + 7) / 8) { buffer in
            buffer.withUnsafeMutablePointerToElements { elements in
                // In one go: an attribute that is unresolved, an unknown truth and a verdict that was not found are all
                // zeros.
                let start = UnsafeMutableRawPointer(elements)
                start.initializeMemory(as: UInt8.self, repeating: 0, count: fixed)
                let truthStart = start + slots * MemoryLayout<Attribute>.stride
                let verdictStart = truthStart + truths
                let source = source.take() ?? JSObject()
                let table = AttributeTable(
                    source.withView { $0 },
                    slots: start.bindMemory(to: Attribute.self, capacity: slots), slotCount: slots,
                    truths: UnsafeMutableBufferPointer(
                        start: truthStart.bindMemory(to: Truth.self, capacity: truths), count: truths),
                    verdicts: UnsafeMutableBufferPointer(
                        start: verdictStart.bindMemory(to: UInt8.self, capacity: verdicts), count: verdicts),
                    texts: AttributeTexts(verdictStart + verdicts, capacity: textCapacity))
                return Header(table: table, source: source)
            }
        }
        return unsafeDowncast(buffer, to: AttributeStorage.self)
    }

    deinit { withUnsafeMutablePointerToHeader { $0.pointee.table.texts.deallocate() } }

    /// A copy with as much room for texts, to be written.
    func copy() -> AttributeStorage {
        let table = table.pointee
        let copy = AttributeStorage.make(
            source, slots: table.slotCount, truths: table.truths.count, verdicts: table.verdicts.count,
            textCapacity: table.texts.capacity)
        copy.table.pointee.copyContents(of: table)
        return copy
    }

    /// The object that attributes come from.
    var source: JSObject { withUnsafeMutablePointerToHeader { $0.pointee.source } }

    /// Where the attributes lie.
    var table: UnsafeMutablePointer<AttributeTable> {
        @inline(__always)
        get {
            withUnsafeMutablePointerToHeader {
                // The header's first member.
                UnsafeMutableRawPointer($0).assumingMemoryBound(to: AttributeTable.self)
            }
        }
    }
}
