internal import ConvertECMAScript

/// Texts of attributes, one after the other, in memory that is part of an ``AttributeStorage`` as long as they fit
/// there.
///
/// Invariants: the first `count` of the `capacity` bytes at `start` are initialized, and ``slack`` bytes follow; the
/// storage calls ``deallocate()`` once.
struct AttributeTexts: BitwiseCopyable {
    /// Bytes behind the room, so that texts are appended by whole words.
    static let slack = 8

    private var start: UnsafeMutableRawPointer
    private(set) var capacity: Int
    private var count = 0
    /// Whether the memory is no part of the storage.
    private var isOwn = false

    /// No texts yet, at `start`, where there are `capacity` bytes and the slack.
    @inline(__always)
    init(_ start: UnsafeMutableRawPointer, capacity: Int) {
        self.start = start
        self.capacity = capacity
    }

    func deallocate() { if isOwn { start.deallocate() } }

    /// The texts.
    var bytes: UnsafeBufferPointer<UInt8> {
        @inline(__always) get { UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count) }
    }

    /// The text at `range`.
    @inline(__always)
    subscript(range: TableRange) -> ByteText { ByteText(bytes, range) }

    /// Appends `bytes` and says where they are, and whether they are ASCII without capitals.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) -> (range: TableRange, isLowercase: Bool) {
        if bytes.count > capacity &- count { makeRoom(for: bytes.count) }
        let range = TableRange(start: count, count: bytes.count)
        // Short texts, of which most consist, are not worth a call.
        let end = start + count
        var others: UInt64 = 0
        if let source = UnsafeRawPointer(bytes.baseAddress) {
            var index = 0
            while index &+ 8 <= bytes.count {
                let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                end.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
                others |= TextWord.othersThanLowercase(word)
                index &+= 8
            }
            let word = (source + index).loadWord(count: bytes.count &- index)
            end.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
            others |= TextWord.othersThanLowercase(word)
        }
        count &+= bytes.count
        return (range, others == 0)
    }

    /// Moves the texts to memory of their own, at least twice as large, so that many texts take time linear to them.
    @inline(never)
    private mutating func makeRoom(for byteCount: Int) {
        let room = max(2 * capacity, count + byteCount)
        let copy = UnsafeMutableRawPointer.allocate(byteCount: room + Self.slack, alignment: 8)
        copy.copyMemory(from: start, byteCount: count)
        deallocate()
        start = copy
        capacity = room
        isOwn = true
    }

    /// Takes the texts of `other`, for which there is room.
    mutating func copyContents(of other: AttributeTexts) {
        start.copyMemory(from: other.start, byteCount: other.count)
        count = other.count
    }
}
