internal import ConvertECMAScript

/// The memory behind ``Attributes``: slots, truths, verdicts and texts in one allocation, because a context is made for
/// every request and four arrays cost four times as much to make and to free.
///
/// Layout, from the first element on: `slotCount` attributes, `truthCount` truths, `verdictCount` bytes, `poolCapacity`
/// bytes, `slack` bytes.
///
/// Invariants: the counts never change, so every pointer below stays within the allocation; each part is bound to its type
/// from the start, and initialized but for the unused rest of the pool; all of it is trivial; whoever writes holds the only
/// reference. Everything goes through pointers, since the accessors of a class check at run time that accesses do not
/// overlap, which took longer than the accesses.
final class AttributeStorage: ManagedBuffer<AttributeStorageHeader, UInt64> {
    /// Bytes behind the pool, so that texts are appended by whole words.
    private static let slack = 8

    /// A storage without source, whose slots are unresolved.
    static func make(
        slots: Int, truths: Int, verdicts: Int, poolCapacity: Int
    ) -> AttributeStorage {
        assert(_isPOD(Attribute.self) && MemoryLayout<Attribute>.alignment <= 8 && MemoryLayout<Truth>.size == 1)
        let fixed = slots * MemoryLayout<Attribute>.stride + truths + verdicts
        let buffer = create(minimumCapacity: (fixed + poolCapacity + slack + 7) / 8) { _ in
            AttributeStorageHeader(
                slotCount: slots, truthCount: truths, verdictCount: verdicts, poolCapacity: poolCapacity)
        }
        let storage = unsafeDowncast(buffer, to: AttributeStorage.self)
        storage.withUnsafeMutablePointers { header, elements in
            // In one go: an attribute that is unresolved, an unknown truth and a verdict that was not found are all zeros.
            let start = UnsafeMutableRawPointer(elements)
            start.initializeMemory(as: UInt8.self, repeating: 0, count: fixed)
            let truthStart = start + slots * MemoryLayout<Attribute>.stride
            start.bindMemory(to: Attribute.self, capacity: slots)
            truthStart.bindMemory(to: Truth.self, capacity: truths)
            (truthStart + truths).bindMemory(to: UInt8.self, capacity: verdicts + poolCapacity)
        }
        return storage
    }

    /// A copy whose pool has room for `count` more bytes.
    private func copy(reserving count: Int) -> AttributeStorage {
        withContents { header, contents in
            let copy = AttributeStorage.make(
                slots: header.pointee.slotCount, truths: header.pointee.truthCount,
                verdicts: header.pointee.verdictCount, poolCapacity: header.pointee.poolCount + count)
            copy.withContents { copiedHeader, copiedContents in
                copiedContents.slots.update(from: contents.slots, count: header.pointee.slotCount)
                copiedContents.truths.update(from: contents.truths, count: header.pointee.truthCount)
                copiedContents.verdicts.update(from: contents.verdicts, count: header.pointee.verdictCount)
                copiedContents.pool.update(from: contents.pool, count: header.pointee.poolCount)
                copiedHeader.pointee.poolCount = header.pointee.poolCount
                copiedHeader.pointee.isSwept = header.pointee.isSwept
                copiedHeader.pointee.source = header.pointee.source
            }
            return copy
        }
    }

    /// Where the parts begin.
    struct Contents {
        let slots: UnsafeMutablePointer<Attribute>
        let truths: UnsafeMutablePointer<Truth>
        let verdicts: UnsafeMutablePointer<UInt8>
        let pool: UnsafeMutablePointer<UInt8>
    }

    @inline(__always)
    func withContents<Result>(_ body: (UnsafeMutablePointer<AttributeStorageHeader>, Contents) -> Result) -> Result {
        withUnsafeMutablePointers { header, elements in
            let start = UnsafeMutableRawPointer(elements)
            let truths = start + header.pointee.slotCount &* MemoryLayout<Attribute>.stride
            let verdicts = truths + header.pointee.truthCount
            return body(
                header,
                Contents(
                    slots: start.assumingMemoryBound(to: Attribute.self),
                    truths: truths.assumingMemoryBound(to: Truth.self),
                    verdicts: verdicts.assumingMemoryBound(to: UInt8.self),
                    pool: (verdicts + header.pointee.verdictCount).assumingMemoryBound(to: UInt8.self)))
        }
    }

    /// A copy with as much free room, to be written.
    func copy() -> AttributeStorage {
        copy(reserving: withUnsafeMutablePointerToHeader { $0.pointee.poolCapacity - $0.pointee.poolCount })
    }

    /// A copy with room for the text that found none, and with at least as much as there is already, so that many
    /// attributes take time linear to their texts.
    ///
    /// - Parameter room: how many bytes were reserved the time before; more than twice as many are.
    func copyWithMoreRoom(_ room: inout Int) -> AttributeStorage {
        withUnsafeMutablePointerToHeader { header in
            room = max(room * 2 + 64, header.pointee.poolCount, header.pointee.wantedCount * 2)
        }
        return copy(reserving: room)
    }

    /// Drops the texts from `start` on, which nothing refers to.
    func dropTexts(from start: Int) { withUnsafeMutablePointerToHeader { $0.pointee.poolCount = start } }

    /// The attribute in `slot`, which must be one of the table's.
    subscript(slot: Int) -> Attribute {
        withContents { header, contents in
            precondition(slot >= 0 && slot < header.pointee.slotCount)
            return contents.slots[slot]
        }
    }

    /// The verdict byte at `index`; `nil` if it is beyond those there is room for.
    @inline(__always)
    subscript(verdict index: Int) -> UInt8? {
        get {
            withContents { header, contents in
                index >= 0 && index < header.pointee.verdictCount ? contents.verdicts[index] : nil
            }
        }
        set {
            withContents { header, contents in
                guard let newValue, index >= 0, index < header.pointee.verdictCount else { return }
                contents.verdicts[index] = newValue
            }
        }
    }

    /// Whether truths and verdicts of all plain comparisons are there.
    var isSwept: Bool {
        get { withUnsafeMutablePointerToHeader { $0.pointee.isSwept } }
        set { withUnsafeMutablePointerToHeader { $0.pointee.isSwept = newValue } }
    }

    /// The object that attributes came from.
    var source: JSObject { withUnsafeMutablePointerToHeader { $0.pointee.source ?? JSObject() } }

    /// Keeps `source`, from whose members attributes come.
    func keep(_ source: consuming JSObject) {
        // Taken out by the closure, which would copy what it cannot consume.
        var source = Optional(source)
        withUnsafeMutablePointerToHeader { $0.pointee.source = source.take() }
    }

    /// Hands over what ``keep(_:)`` was given, to be given back.
    func takeSource() -> JSObject { withUnsafeMutablePointerToHeader { $0.pointee.source.take() } ?? JSObject() }

    func clearSkipped() {
        withContents { header, contents in
            for index in 0..<header.pointee.truthCount where contents.truths[index] == .skipped {
                contents.truths[index] = .unknown
            }
        }
    }

    func clearAnswers() {
        withContents { header, contents in
            contents.truths.update(repeating: .unknown, count: header.pointee.truthCount)
            contents.verdicts.update(repeating: 0, count: header.pointee.verdictCount)
            header.pointee.isSwept = false
        }
    }

    /// Appends `bytes` to the texts and says where they are, and whether they are ASCII without capitals; `nil` if there is
    /// no room.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) -> (range: TableRange, isLowercase: Bool)? {
        withContents { header, contents in
            let start = header.pointee.poolCount
            guard bytes.count <= header.pointee.poolCapacity &- start else {
                header.pointee.wantedCount = bytes.count
                return nil
            }
            // Short texts, of which most consist, are not worth a call.
            let end = UnsafeMutableRawPointer(contents.pool + start)
            var others: UInt64 = 0
            if let source = UnsafeRawPointer(bytes.baseAddress) {
                var index = 0
                while index &+ 8 <= bytes.count {
                    let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    end.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
                    others |= Self.othersThanLowercase(word)
                    index &+= 8
                }
                let word = (source + index).loadWord(count: bytes.count &- index)
                end.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
                others |= Self.othersThanLowercase(word)
            }
            header.pointee.poolCount = start &+ bytes.count
            return (TableRange(start: start, count: bytes.count), others == 0)
        }
    }

    /// The high bits of the bytes that are not ASCII, or that are capitals.
    @inline(__always)
    private static func othersThanLowercase(_ word: UInt64) -> UInt64 {
        let high: UInt64 = 0x8080_8080_8080_8080
        let low = word & ~high
        // Each byte's high bit tells whether it is at least "A", and whether it is beyond "Z".
        let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
        let beyondZ = low &+ 0x2525_2525_2525_2525
        return (word | (fromA & ~beyondZ)) & high
    }
}

struct AttributeStorageHeader {
    let slotCount: Int
    let truthCount: Int
    let verdictCount: Int
    let poolCapacity: Int
    var poolCount = 0
    /// How many bytes the last text had that found no room.
    var wantedCount = 0
    var isSwept = false
    /// The object that attributes came from.
    var source: JSObject?
}
