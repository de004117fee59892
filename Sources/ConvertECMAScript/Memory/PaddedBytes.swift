/// Bytes in their own memory, followed by zeros. The first zero stops a scanner, so the scanner need not compare with
/// the end.
///
/// Reads and writes are not checked. Invariant: the index of a byte is at most `count` + 1, and a word starts at most
/// at `count`. The invariant holds because 16 zeros follow the bytes, a scan stops at the first zero, and no code moves
/// an index past a byte that it has not read. An address is used only while the bytes live. Unsafe code for speed: W7.
@safe
struct PaddedBytes: ~Copyable {
    /// The number of zeros, with which a word can be read at any index, followed by one more word.
    private static let padding = 16

    private let base: UnsafeMutablePointer<UInt8>

    /// The number of bytes, without the padding.
    let count: Int

    /// Creates a copy of `bytes`.
    init(copying bytes: ByteText) {
        count = bytes.count
        unsafe base = .allocate(capacity: count + Self.padding)
        if let source = unsafe bytes.buffer.baseAddress { unsafe base.initialize(from: source, count: count) }
        unsafe (base + count).initialize(repeating: 0, count: Self.padding)
    }

    deinit { unsafe base.deallocate() }

    /// The byte at `index`.
    subscript(index: Int) -> UInt8 {
        @inline(__always) get { unsafe base[index] }
        @inline(__always) nonmutating set { unsafe base[index] = newValue }
    }

    /// The eight bytes from `index` on, as a little-endian word.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        unsafe UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The address of the byte at `index`.
    @unsafe @inline(__always)
    func address(of index: Int) -> UnsafePointer<UInt8> { unsafe UnsafePointer(base + index) }

    /// The `count` bytes from `start` on.
    @inline(__always)
    func slice(from start: Int, count: Int) -> ByteText {
        unsafe ByteText(UnsafeBufferPointer(start: base + start, count: count))
    }
}
