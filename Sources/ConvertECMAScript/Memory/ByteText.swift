/// A borrowed view of UTF-8 text: comparing it counts no references.
///
/// Invariant: it is used only inside the closure that lends the bytes, and is never stored.
@usableFromInline
package struct ByteText {
    /// The text's UTF-8.
    @usableFromInline package let bytes: UnsafeBufferPointer<UInt8>

    /// The bytes at `range` of `pool`; empty if the range does not lie within it.
    @inlinable @inline(__always)
    package init(_ pool: UnsafeBufferPointer<UInt8>, _ range: TableRange) {
        guard range.start >= 0, range.count >= 0, range.count <= pool.count &- range.start else {
            bytes = UnsafeBufferPointer(start: nil, count: 0)
            return
        }
        bytes = UnsafeBufferPointer(rebasing: pool[range.start..<(range.start &+ range.count)])
    }

    /// The text of these bytes.
    @inlinable @inline(__always)
    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// How many bytes there are.
    @inlinable @inline(__always)
    package var count: Int { bytes.count }

    /// Whether both texts consist of the same bytes.
    @inlinable @inline(__always)
    package static func == (left: ByteText, right: ByteText) -> Bool {
        left.count == right.count && left.hasBytes(of: right, at: 0)
    }

    /// The first eight bytes as a word, or all of fewer.
    @inlinable @inline(__always)
    package var prefix: UInt64 {
        guard let start = UnsafeRawPointer(bytes.baseAddress) else { return 0 }
        return count < 8
            ? start.loadWord(count: count) : UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    }

    /// The eight bytes behind the prefix, or all of fewer.
    @inlinable package var rest: UInt64 {
        count <= 8 ? 0 : ByteText(UnsafeBufferPointer(rebasing: bytes.dropFirst(8))).prefix
    }

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

    /// Whether the bytes at `offset` are those of `other`, which must fit.
    @inlinable @inline(__always)
    func hasBytes(of other: ByteText, at offset: Int) -> Bool {
        guard let left = UnsafeRawPointer(bytes.baseAddress), let right = UnsafeRawPointer(other.bytes.baseAddress)
        else { return other.count == 0 }
        return (left + offset).hasSameBytes(as: right, count: other.count)
    }

    /// Whether the text is ASCII without capitals.
    @inlinable package var isLowercase: Bool { allWords { TextWord.othersThanLowercase($0) == 0 } }

    /// Whether the text is ASCII without capitals, and has no `|`.
    @inlinable package var isPlain: Bool { allWords(TextWord.isPlain) }

    /// Whether `isMet` by each eight bytes and by the rest.
    @inlinable @inline(__always)
    func allWords(_ isMet: (UInt64) -> Bool) -> Bool {
        guard let start = UnsafeRawPointer(bytes.baseAddress) else { return true }
        var index = 0
        while index &+ 8 <= count {
            if !isMet(start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return false }
            index &+= 8
        }
        return isMet((start + index).loadWord(count: count &- index))
    }

    /// Whether `needle` occurs, in time linear to both texts.
    @usableFromInline
    package func contains(_ needle: ByteText) -> Bool {
        guard let start = UnsafeRawPointer(bytes.baseAddress), let first = needle.bytes.first,
            let last = needle.bytes.last
        else { return needle.count == 0 }
        guard needle.count <= count else { return false }
        let reach = needle.count &- 1
        let (firsts, lasts) = (UInt64(first) &* Self.eachByte, UInt64(last) &* Self.eachByte)
        // The plain search is the fastest one on real text. Repetitive text makes it quadratic, so it may compare only
        // so much before a linear search takes over.
        var budget = 8 &* count &+ 64
        var index = 0
        var rest = count &- reach
        // Places where the first and the last byte are right, eight at a time.
        while rest > 0 {
            let size = min(rest, 8)
            let (head, tail) = (start + index, start + index + reach)
            let others =
                size == 8
                ? (head.word ^ firsts) | (tail.word ^ lasts)
                : (head.loadWord(count: size) ^ firsts) | (tail.loadWord(count: size) ^ lasts)
            var candidates = Self.zeroBytes(of: others) & (UInt64.max &>> UInt64(64 &- 8 &* size))
            while candidates != 0 {
                let place = index &+ candidates.trailingZeroBitCount &>> 3
                if hasBytes(of: needle, at: place) { return true }
                budget &-= needle.count
                if budget < 0 { return containsByFailureFunction(needle, from: place) }
                candidates &= candidates &- 1
            }
            index &+= size
            rest &-= size
        }
        return false
    }

    private static let eachByte: UInt64 = 0x0101_0101_0101_0101

    /// The high bits of the bytes that are zero. Behind one, a byte of 1 may count as well.
    @inline(__always)
    private static func zeroBytes(of word: UInt64) -> UInt64 {
        (word &- eachByte) & ~word & 0x8080_8080_8080_8080
    }

    /// Knuth, Morris and Pratt's search (SIAM Journal on Computing 6, 1977).
    private func containsByFailureFunction(_ needle: ByteText, from start: Int) -> Bool {
        var border = [Int](repeating: 0, count: needle.count)
        var matched = 0
        for index in 1..<needle.count {
            while matched > 0 && needle.bytes[index] != needle.bytes[matched] { matched = border[matched - 1] }
            if needle.bytes[index] == needle.bytes[matched] { matched += 1 }
            border[index] = matched
        }
        matched = 0
        for index in start..<count {
            while matched > 0 && bytes[index] != needle.bytes[matched] { matched = border[matched - 1] }
            if bytes[index] == needle.bytes[matched] { matched += 1 }
            if matched == needle.count { return true }
        }
        return false
    }
}

extension UnsafeRawPointer {
    /// Eight bytes, the first one lowest.
    @inline(__always)
    fileprivate var word: UInt64 { UInt64(littleEndian: loadUnaligned(as: UInt64.self)) }
}
