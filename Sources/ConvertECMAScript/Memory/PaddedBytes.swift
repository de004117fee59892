/// Bytes in their own memory, followed by zeros. The first zero stops a scanner, so the scanner need not compare with
/// the end.
///
/// Reads and writes are not checked. Invariant: the index of a byte is at most `count` + 1, and a word starts at most
/// at `count`. It holds because 16 zeros follow, a scan stops at the first of them, and no code moves an index past a
/// byte that it has not read. An address is used only while the bytes live. Unsafe code for speed: W7.
struct PaddedBytes: ~Copyable {
    /// A word can be read at any index, followed by one more word.
    private static let padding = 16

    private let base: UnsafeMutablePointer<UInt8>

    /// The number of bytes, without the padding.
    let count: Int

    /// Creates a copy of `bytes`.
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

    /// The eight bytes from `index` on, as a little-endian word.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The address of the byte at `index`.
    @inline(__always)
    func address(of index: Int) -> UnsafePointer<UInt8> { UnsafePointer(base + index) }

    /// The `count` bytes from `start` on.
    @inline(__always)
    func slice(from start: Int, count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + start, count: count)
    }
}
