/// Bytes in memory of their own, followed by zeros, so that a scanner needs no end to compare with: the first zero stops it.
///
/// Reading and writing are not checked. Invariant: the index of a byte is at most `count` + 1, and a word starts at most at
/// `count`. That holds because a scan stops at the first zero, of which there are 16, and nothing moves an index past a byte
/// that it has not looked at. An address is used only while the bytes live. Workload W7 pays for it.
struct PaddedBytes: ~Copyable {
    /// A word may be read at any index, and another one after that.
    private static let padding = 16

    private let base: UnsafeMutablePointer<UInt8>

    /// How many bytes there are, without the padding.
    let count: Int

    /// A copy of `bytes`.
    init(copying bytes: UnsafeBufferPointer<UInt8>) {
        count = bytes.count
        base = .allocate(capacity: count + Self.padding)
        if let source = bytes.baseAddress { base.initialize(from: source, count: count) }
        (base + count).initialize(repeating: 0, count: Self.padding)
    }

    deinit { base.deallocate() }

    /// The byte at `index`.
    subscript(index: Int) -> UInt8 {
        @inline(__always) get { base[index] }
        @inline(__always) nonmutating set { base[index] = newValue }
    }

    /// The eight bytes from `index` on, the first one lowest.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Where the byte at `index` lies.
    @inline(__always)
    func address(of index: Int) -> UnsafePointer<UInt8> { UnsafePointer(base + index) }

    /// The `count` bytes from `start` on.
    @inline(__always)
    func slice(from start: Int, count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + start, count: count)
    }
}
