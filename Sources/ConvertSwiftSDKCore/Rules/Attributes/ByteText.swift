internal import ConvertECMAScript

/// A borrowed view of UTF-8 text.
///
/// ``AttributeReader`` has the reason and the invariants.
struct ByteText {
    let bytes: UnsafeBufferPointer<UInt8>

    /// The bytes at `range` of `pool`; empty if the range does not lie within it.
    @inline(__always)
    init(_ pool: UnsafeBufferPointer<UInt8>, _ range: PoolRange) {
        guard range.start >= 0, range.count >= 0, range.count <= pool.count &- range.start else {
            bytes = UnsafeBufferPointer(start: nil, count: 0)
            return
        }
        bytes = UnsafeBufferPointer(rebasing: pool[range.start..<(range.start &+ range.count)])
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    @inline(__always)
    var count: Int { bytes.count }

    @inline(__always)
    static func == (left: ByteText, right: ByteText) -> Bool {
        left.count == right.count && left.hasBytes(of: right, at: 0)
    }

    /// The first eight bytes as a word, or all of fewer.
    @inline(__always)
    var prefix: UInt64 {
        guard let start = UnsafeRawPointer(bytes.baseAddress) else { return 0 }
        return count < 8
            ? start.loadWord(count: count) : UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    func hasPrefix(_ prefix: ByteText) -> Bool {
        prefix.count <= count && hasBytes(of: prefix, at: 0)
    }

    @inline(__always)
    func hasSuffix(_ suffix: ByteText) -> Bool {
        suffix.count <= count && hasBytes(of: suffix, at: count &- suffix.count)
    }

    /// Whether the bytes at `offset` are those of `other`, which must fit.
    @inline(__always)
    private func hasBytes(of other: ByteText, at offset: Int) -> Bool {
        guard let left = UnsafeRawPointer(bytes.baseAddress), let right = UnsafeRawPointer(other.bytes.baseAddress)
        else { return other.count == 0 }
        return (left + offset).hasSameBytes(as: right, count: other.count)
    }

    /// Whether `needle` occurs, in time linear to both texts.
    func contains(_ needle: ByteText) -> Bool {
        guard let first = needle.bytes.first, let last = needle.bytes.last else { return true }
        guard needle.count <= count else { return false }
        let reach = needle.count &- 1
        // The plain search is the fastest one on real text. Repetitive text makes it quadratic, so it may compare only
        // so much before a linear search takes over.
        var budget = 8 &* count &+ 64
        var index = 0
        while index <= count &- needle.count {
            if bytes[index] == first && bytes[index &+ reach] == last {
                if hasBytes(of: needle, at: index) { return true }
                budget &-= needle.count
                if budget < 0 { return containsByFailureFunction(needle, from: index) }
            }
            index &+= 1
        }
        return false
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

    /// Negative, zero or positive, by the order of the bytes.
    func compare(_ other: ByteText) -> Int {
        var index = 0
        let end = min(count, other.count)
        while index < end {
            let difference = Int(bytes[index]) - Int(other.bytes[index])
            if difference != 0 { return difference }
            index += 1
        }
        return count - other.count
    }
}
