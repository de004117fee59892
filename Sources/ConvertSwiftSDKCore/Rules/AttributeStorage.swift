internal import ConvertECMAScript

/// The memory behind ``ResolvedAttributes``: slots, verdicts and texts in one allocation, because a context is made for
/// every request and three arrays cost three times as much to make and to free.
///
/// Layout, from the first element on: `slotCount` attributes, `verdictCount` bytes, `poolCapacity` bytes.
///
/// Invariants: the counts never change, so every pointer below stays within the allocation; all memory but the unused
/// rest of the pool is initialized, for which zeroes serve (an absent attribute, an unknown verdict) and all of it is
/// trivial; whoever writes holds the only reference.
final class AttributeStorage: ManagedBuffer<AttributeStorageHeader, UInt64> {
    static func make(slots: Int, verdicts: Int, poolCapacity: Int) -> AttributeStorage {
        let fixed = slots * MemoryLayout<ResolvedAttribute>.stride + verdicts
        let buffer = create(minimumCapacity: (fixed + poolCapacity + 7) / 8) { _ in
            AttributeStorageHeader(slotCount: slots, verdictCount: verdicts, poolCapacity: poolCapacity)
        }
        buffer.withUnsafeMutablePointerToElements {
            _ = UnsafeMutableRawPointer($0).initializeMemory(as: UInt8.self, repeating: 0, count: fixed)
        }
        return unsafeDowncast(buffer, to: AttributeStorage.self)
    }

    /// A copy whose pool has room for `count` more bytes.
    func copy(reserving count: Int = 0) -> AttributeStorage {
        let capacity = header.poolCount + count
        let copy = AttributeStorage.make(
            slots: header.slotCount, verdicts: header.verdictCount, poolCapacity: capacity)
        let fixed = header.slotCount * MemoryLayout<ResolvedAttribute>.stride + header.verdictCount
        withUnsafeMutablePointerToElements { source in
            copy.withUnsafeMutablePointerToElements {
                UnsafeMutableRawPointer($0).copyMemory(from: source, byteCount: fixed + header.poolCount)
            }
        }
        copy.header.poolCount = header.poolCount
        copy.header.source = header.source
        copy.header.single = header.single
        return copy
    }

    /// The attribute in `slot`, which must be below the number of slots.
    @inline(__always)
    subscript(slot: Int) -> ResolvedAttribute {
        get {
            precondition(slot >= 0 && slot < header.slotCount)
            return withUnsafeMutablePointerToElements {
                UnsafeRawPointer($0).load(
                    fromByteOffset: slot &* MemoryLayout<ResolvedAttribute>.stride, as: ResolvedAttribute.self)
            }
        }
        set {
            precondition(slot >= 0 && slot < header.slotCount)
            withUnsafeMutablePointerToElements {
                UnsafeMutableRawPointer($0).storeBytes(
                    of: newValue, toByteOffset: slot &* MemoryLayout<ResolvedAttribute>.stride,
                    as: ResolvedAttribute.self)
            }
        }
    }

    /// The verdict byte at `index`; 0 if it is beyond those there is room for.
    @inline(__always)
    func verdict(at index: Int) -> UInt8 {
        guard index >= 0, index < header.verdictCount else { return 0 }
        return withUnsafeMutablePointerToElements { verdicts(behind: $0)[index] }
    }

    @inline(__always)
    func setVerdict(_ verdict: UInt8, at index: Int) {
        guard index >= 0, index < header.verdictCount else { return }
        withUnsafeMutablePointerToElements { verdicts(behind: $0)[index] = verdict }
    }

    func clearVerdicts() {
        withUnsafeMutablePointerToElements {
            verdicts(behind: $0).update(repeating: 0, count: header.verdictCount)
        }
    }

    /// Lends the texts.
    @inline(__always)
    func withPool<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeMutablePointerToElements {
            body(UnsafeBufferPointer(start: verdicts(behind: $0) + header.verdictCount, count: header.poolCount))
        }
    }

    /// Appends `bytes` if there is room, and says whether there was.
    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count <= header.poolCapacity &- header.poolCount else { return false }
        withUnsafeMutablePointerToElements { elements in
            guard let source = bytes.baseAddress else { return }
            let end = verdicts(behind: elements) + header.verdictCount + header.poolCount
            end.update(from: source, count: bytes.count)
        }
        header.poolCount &+= bytes.count
        return true
    }

    @inline(__always)
    private func verdicts(behind elements: UnsafeMutablePointer<UInt64>) -> UnsafeMutablePointer<UInt8> {
        (UnsafeMutableRawPointer(elements) + header.slotCount &* MemoryLayout<ResolvedAttribute>.stride)
            .assumingMemoryBound(to: UInt8.self)
    }
}

struct AttributeStorageHeader {
    let slotCount: Int
    let verdictCount: Int
    let poolCapacity: Int
    var poolCount = 0
    /// The object that attributes came from.
    var source: JSObject?
    /// A value that stands for itself, without an object.
    var single: JSValue?
}
