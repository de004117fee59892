/// The distinct member names of a document, numbered in order of their first occurrence.
///
/// Invariant: the bytes of each name are in the document's source or in its vocabulary. Both live as long as the
/// document.
struct JSONNameTable: ~Copyable {
    /// One name.
    @safe
    struct Entry: BitwiseCopyable {
        /// The name in UTF-8; a lone surrogate takes three bytes, like any scalar of its size.
        fileprivate let bytes: UnsafePointer<UInt8>
        let length: UInt32
        let hash: UInt32
        /// The first bytes of the name, up to eight, and a mask of the bits that they take.
        let prefix: UInt64
        let prefixMask: UInt64
        /// The array index that the name spells, or ``noArrayIndex``.
        let arrayIndex: UInt32
        let hasLoneSurrogates: Bool
        /// Whether the document spells the name without escapes. Only such names can be recognized by their bytes.
        let isPlain: Bool
        /// The names that followed this name.
        fileprivate(set) var next = Successors()

        var text: ByteText { unsafe ByteText(UnsafeBufferPointer(start: bytes, count: Int(length))) }
    }

    /// The last two distinct names that followed a name. Objects in a list tend to have the same members. If they
    /// differ, usually one of two names follows.
    struct Successors: BitwiseCopyable {
        fileprivate var latest = JSONNode.noName
        fileprivate var other = JSONNode.noName
    }

    /// Marks a name that is not an array index.
    static let noArrayIndex = UInt32.max

    private(set) var entries: Rows<Entry>
    private var index: HashIndex

    /// The latest name.
    private var latest = JSONNode.noName
    /// The names that are likely to follow the latest name.
    private var likely = Successors()

    /// Creates an empty table.
    init() {
        entries = Rows(capacity: 64)
        index = HashIndex()
    }

    /// Creates a copy of `other`, with its own memory.
    init(copying other: borrowing JSONNameTable) {
        entries = Rows(capacity: max(64, other.entries.count * 2))
        entries.append(contentsOf: other.entries.elements)
        index = HashIndex(copying: other.index)
    }

    /// The number of a likely next name and the position of its closing quote, if the source has that name at `index`.
    @inline(__always)
    mutating func takeLikely(in source: borrowing PaddedBytes, at index: Int) -> (name: UInt32, end: Int)? {
        var name = likely.latest
        var end = end(of: name, in: source, at: index)
        if end == nil {
            name = likely.other
            end = self.end(of: name, in: source, at: index)
        }
        guard let end else { return nil }
        latest = name
        likely = entries[Int(name)].next
        return (name, end)
    }

    /// The position of the quote after the name with this number, if the source has that name at `index`.
    @inline(__always)
    private func end(of name: UInt32, in source: borrowing PaddedBytes, at index: Int) -> Int? {
        guard name != JSONNode.noName else { return nil }
        let entry = entries[Int(name)]
        let end = index &+ Int(entry.length)
        guard (source.word(at: index) ^ entry.prefix) & entry.prefixMask == 0, end < source.count,
            source[end] == UInt8(ascii: "\"")
        else { return nil }
        return entry.length <= 8 || source.slice(from: index, count: Int(entry.length)) == entry.text ? end : nil
    }

    /// Returns the number of the name of `length` bytes at `index` of `source`, and adds the name if it is new. The
    /// source must live as long as the table.
    mutating func intern(
        in source: borrowing PaddedBytes, at index: Int, length: Int, hasLoneSurrogates: Bool
    ) -> UInt32 {
        let text = source.slice(from: index, count: length)
        let hash = PropertyKey.hash(text)
        let name =
            place(of: text, hash: hash)
            ?? add(text, in: source, at: index, hash: hash, hasLoneSurrogates: hasLoneSurrogates)
        if latest != JSONNode.noName, entries[Int(name)].isPlain {
            let before = entries[Int(latest)].next.latest
            entries[Int(latest)].next = Successors(latest: name, other: before)
        }
        latest = name
        likely = entries[Int(name)].next
        return name
    }

    /// The number of the name `text`, or `nil` if the document does not have it.
    func number(of text: ByteText) -> UInt32? { place(of: text, hash: PropertyKey.hash(text)) }

    private func place(of text: ByteText, hash: UInt32) -> UInt32? {
        index.place(hash: hash) { entries[$0].text == text }.map { UInt32(truncatingIfNeeded: $0) }
    }

    private mutating func add(
        _ text: ByteText, in source: borrowing PaddedBytes, at index: Int, hash: UInt32, hasLoneSurrogates: Bool
    ) -> UInt32 {
        let place = entries.count
        let prefixLength = min(8, text.count)
        var prefix: UInt64 = 0
        for index in 0..<prefixLength { prefix |= UInt64(text[index]) << UInt64(8 * index) }
        entries.append(
            unsafe Entry(
                bytes: source.address(of: index), length: UInt32(truncatingIfNeeded: text.count), hash: hash,
                prefix: prefix, prefixMask: prefixLength == 8 ? .max : 1 << UInt64(8 * prefixLength) - 1,
                arrayIndex: ECMAScript.arrayIndex(utf8: text) ?? Self.noArrayIndex,
                hasLoneSurrogates: hasLoneSurrogates,
                isPlain: !hasLoneSurrogates
                    && !text.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }))
        self.index.insert(place, hash: hash)
        return UInt32(truncatingIfNeeded: place)
    }
}
