/// A view of borrowed UTF-8 text. Its indices are within memory, so `&+` never overflows.
@usableFromInline
package typealias ByteText = Borrowed<UInt8>

extension Borrowed<UInt8> {
    /// Creates a view of the bytes at `range` of `pool`; empty if the range is not within the pool.
    @inlinable @inline(__always)
    package init(_ pool: ByteText, _ range: TableRange) {
        // A negative value becomes larger than any pool.
        let (first, length) = (UInt32(bitPattern: range.first), UInt32(bitPattern: range.length))
        guard let start = unsafe pool.buffer.baseAddress, UInt(first) &+ UInt(length) <= UInt(bitPattern: pool.count)
        else {
            self = .empty
            return
        }
        unsafe self.init(UnsafeBufferPointer(start: start + Int(first), count: Int(length)))
    }

    /// The address of the first byte; `nil` if there is no memory. Safe: every read from this address stays within
    /// ``count`` bytes.
    @inlinable var start: UnsafeRawPointer? {
        @inline(__always) get { unsafe UnsafeRawPointer(buffer.baseAddress) }
    }

    /// The first eight bytes as a word, or all bytes of a shorter text.
    @inlinable @inline(__always)
    package var firstWord: UInt64 {
        guard let start = unsafe start else { return 0 }
        return unsafe count < 8
            ? start.loadWord(count: count) : UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    }

    /// The eight bytes after the first word, or all bytes after it if there are fewer.
    @inlinable package var secondWord: UInt64 { count <= 8 ? 0 : slice(8..<count).firstWord }

    /// Whether the text begins with `prefix`.
    @inlinable @inline(__always)
    package func hasPrefix(_ prefix: ByteText) -> Bool {
        prefix.count <= count && hasBytes(of: prefix, at: 0)
    }

    /// Whether the text ends with `suffix`.
    @inlinable @inline(__always)
    package func hasSuffix(_ suffix: ByteText) -> Bool {
        suffix.count <= count && hasBytes(of: suffix, at: count &- suffix.count)
    }

    /// Whether the bytes at `offset` equal `other`, which must fit there.
    @inlinable @inline(__always)
    func hasBytes(of other: ByteText, at offset: Int) -> Bool {
        guard let left = unsafe start, let right = unsafe other.start else { return other.count == 0 }
        return unsafe (left + offset).hasSameBytes(as: right, count: other.count)
    }

    /// Whether the text is ASCII without capital letters.
    @inlinable package var isLowercase: Bool { allWords { TextWord.othersThanLowercase($0) == 0 } }

    /// Whether the text is ASCII without capital letters and without `|`.
    @inlinable package var isPlain: Bool {
        @inline(__always) get { allWords(TextWord.isPlain) }
    }

    /// Whether `isMet` is true for each word of eight bytes, and for the word of the remaining bytes.
    @inlinable @inline(__always)
    func allWords(_ isMet: (UInt64) -> Bool) -> Bool {
        guard let start = unsafe start else { return true }
        var index = 0
        while index &+ 8 <= count {
            if unsafe !isMet(start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return false }
            index &+= 8
        }
        return unsafe isMet((start + index).loadWord(count: count &- index))
    }

    /// The integer at `index`, in the processor's byte order. All of its bytes must be within the text.
    @inlinable @inline(__always)
    package func load<Word: FixedWidthInteger & BitwiseCopyable>(at index: Int, as type: Word.Type) -> Word {
        precondition(index >= 0 && index <= count &- MemoryLayout<Word>.size)
        return unsafe UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: index, as: type)
    }

    /// The sixteen bytes at `index`, which must be within the text.
    @inline(__always)
    func block(at index: Int) -> SIMD16<UInt8> {
        precondition(index >= 0 && index <= count &- 16)
        return unsafe UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    }

    /// Calls `body` with each `Word` of the text, in the processor's byte order. Returns the bytes that remain as the
    /// low bytes of a word, and their number.
    @inlinable @inline(__always)
    package func forEachWord<Word: FixedWidthInteger & BitwiseCopyable>(
        _ body: (Word) -> Void
    ) -> (rest: UInt64, count: Int) {
        guard let start = unsafe start else { return (0, 0) }
        var index = 0
        while index &+ MemoryLayout<Word>.size <= count {
            unsafe body(start.loadUnaligned(fromByteOffset: index, as: Word.self))
            index &+= MemoryLayout<Word>.size
        }
        return unsafe ((start + index).loadWord(count: count &- index), count &- index)
    }

    /// The first place of `byte` at or after `start`, or `nil`. `start` must be within the text.
    package func place(of byte: UInt8, from start: Int) -> Int? {
        precondition(start >= 0 && start <= count)
        var index = start
        let wanted = 0x0101_0101_0101_0101 &* UInt64(byte)
        while index &+ 8 <= count {
            let others = UInt64(littleEndian: load(at: index, as: UInt64.self)) ^ wanted
            // Marks the bytes that are zero. After such a byte, a byte of 1 may be marked as well.
            let places = (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
            if places != 0 { return index &+ places.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        return (index..<count).first { self[$0] == byte }
    }

    /// Whether `needle` occurs, in time linear to both texts.
    @inlinable @inline(__always)
    package func contains(_ needle: ByteText) -> Bool {
        guard let ends = needle.ends else { return true }
        let end = count &- needle.count &- 7
        guard end >= 0, let start = unsafe start else { return shortContains(needle) }
        var index = 0
        while unsafe (start + index).places(of: ends) == 0 {
            if index == end { return false }
            // The last eight places are checked again, instead of fewer places.
            index = Swift.min(index &+ 8, end)
        }
        return contains(needle, ends, from: index)
    }

    /// Whether `needle` occurs, for a text with fewer than eight possible places.
    @usableFromInline
    func shortContains(_ needle: ByteText) -> Bool {
        let places = count &- needle.count &+ 1
        return places > 0 && (0..<places).contains { hasBytes(of: needle, at: $0) }
    }

    /// Whether `needle` occurs at or after `index`, for a text with at least eight possible places there.
    @usableFromInline @inline(never)
    func contains(_ needle: ByteText, _ ends: TextEnds, from index: Int) -> Bool {
        guard let start = unsafe start else { return false }
        let end = count &- needle.count &- 7
        // The plain search is the fastest on real text, but quadratic on repetitive text. After it has compared a
        // limited number of bytes, a linear search continues.
        var budget = 8 &* count &+ 64
        var index = index
        while true {
            let places = unsafe (start + index).places(of: ends)
            if hasBytes(of: needle, atAny: places, from: index) { return true }
            budget &-= needle.count &* places.nonzeroBitCount
            if budget < 0 { return containsByFailureFunction(needle, from: index) }
            if index == end { return false }
            index = Swift.min(index &+ 8, end)
        }
    }

    /// The first and the last byte of the text; `nil` for an empty text.
    @inlinable var ends: TextEnds? {
        @inline(__always) get {
            guard count > 0 else { return nil }
            return TextEnds(
                firsts: UInt64(self[0]) &* 0x0101_0101_0101_0101,
                lasts: UInt64(self[count &- 1]) &* 0x0101_0101_0101_0101, distance: count &- 1)
        }
    }

    /// Whether `other` is at one of the eight places from `index` on whose high bits are set in `places`.
    private func hasBytes(of other: ByteText, atAny places: UInt64, from index: Int) -> Bool {
        var places = places
        while places != 0 {
            if hasBytes(of: other, at: index &+ places.trailingZeroBitCount &>> 3) { return true }
            places &= places &- 1
        }
        return false
    }

    /// The search algorithm of Knuth, Morris and Pratt (SIAM Journal on Computing 6, 1977).
    private func containsByFailureFunction(_ needle: ByteText, from start: Int) -> Bool {
        var border = [Int](repeating: 0, count: needle.count)
        var matched = 0
        for index in 1..<needle.count {
            while matched > 0 && needle[index] != needle[matched] { matched = border[matched - 1] }
            if needle[index] == needle[matched] { matched += 1 }
            border[index] = matched
        }
        matched = 0
        for index in start..<count {
            while matched > 0 && self[index] != needle[matched] { matched = border[matched - 1] }
            if self[index] == needle[matched] { matched += 1 }
            if matched == needle.count { return true }
        }
        return false
    }
}

extension Borrowed: Equatable where Element == UInt8 {
    /// Whether both texts consist of the same bytes.
    @inlinable @inline(__always)
    package static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.hasBytes(of: right, at: 0)
    }
}

/// The first and the last byte of a text, each repeated eight times, and their distance.
@usableFromInline
struct TextEnds {
    @usableFromInline let firsts: UInt64
    @usableFromInline let lasts: UInt64
    @usableFromInline let distance: Int

    @inlinable @inline(__always)
    init(firsts: UInt64, lasts: UInt64, distance: Int) {
        self.firsts = firsts
        self.lasts = lasts
        self.distance = distance
    }
}

extension UnsafeRawPointer {
    /// Eight bytes as a little-endian word.
    @inlinable var word: UInt64 {
        @inline(__always) get { unsafe UInt64(littleEndian: loadUnaligned(as: UInt64.self)) }
    }

    /// The places, among the next eight, at which a text with these ends can be. The high bit of a byte marks a place.
    @inlinable @inline(__always)
    func places(of ends: TextEnds) -> UInt64 {
        let others = unsafe (word ^ ends.firsts) | ((self + ends.distance).word ^ ends.lasts)
        // Marks the bytes that are zero. After such a byte, a byte of 1 may be marked as well.
        return (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
    }
}
