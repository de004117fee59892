extension String {
    /// Calls `body` with the text's UTF-8, copying it only if the text is not stored as contiguous UTF-8.
    @inlinable @inline(__always)
    package func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}

extension UnsafeRawPointer {
    /// The next `count` bytes, fewer than 8, as the low bytes of a word. Bytes after them are not read.
    @inlinable @inline(__always)
    package func loadWord(count: Int) -> UInt64 {
        if count >= 4 {
            // Where both halves overlap they have the same bytes.
            let end = count &- 4
            return UInt64(UInt32(littleEndian: loadUnaligned(as: UInt32.self)))
                | UInt64(UInt32(littleEndian: loadUnaligned(fromByteOffset: end, as: UInt32.self))) &<< UInt64(8 &* end)
        }
        if count >= 2 {
            let end = count &- 2
            return UInt64(UInt16(littleEndian: loadUnaligned(as: UInt16.self)))
                | UInt64(UInt16(littleEndian: loadUnaligned(fromByteOffset: end, as: UInt16.self))) &<< UInt64(8 &* end)
        }
        return count == 1 ? UInt64(load(as: UInt8.self)) : 0
    }

    /// Whether the next `count` bytes equal those at `other`. Comparing byte by byte took most of a look-up's time,
    /// because names and values are mostly shorter than a few words.
    @inlinable @inline(__always)
    package func hasSameBytes(as other: UnsafeRawPointer, count: Int) -> Bool {
        // Up to seven bytes are compared as two halves that overlap.
        if count < 8 {
            if count >= 4 {
                let end = count &- 4
                return loadUnaligned(as: UInt32.self) == other.loadUnaligned(as: UInt32.self)
                    && loadUnaligned(fromByteOffset: end, as: UInt32.self)
                        == other.loadUnaligned(fromByteOffset: end, as: UInt32.self)
            }
            if count >= 2 {
                let end = count &- 2
                return loadUnaligned(as: UInt16.self) == other.loadUnaligned(as: UInt16.self)
                    && loadUnaligned(fromByteOffset: end, as: UInt16.self)
                        == other.loadUnaligned(fromByteOffset: end, as: UInt16.self)
            }
            return count == 0 || load(as: UInt8.self) == other.load(as: UInt8.self)
        }
        var index = 0
        while index &+ 8 <= count {
            let word = loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if word != other.loadUnaligned(fromByteOffset: index, as: UInt64.self) { return false }
            index &+= 8
        }
        // The last word overlaps the one before it, so that no byte after the end is read.
        let last = count &- 8
        return loadUnaligned(fromByteOffset: last, as: UInt64.self)
            == other.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both hold the same bytes.
    @inline(__always)
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let left = UnsafeRawPointer(baseAddress), let right = UnsafeRawPointer(other.baseAddress) else {
            return count == 0
        }
        return left.hasSameBytes(as: right, count: count)
    }

    /// The scalar that starts at `index`, and its number of bytes.
    ///
    /// A byte that does not start a scalar is read as U+FFFD of length 1, so that invalid UTF-8 never leads a reader
    /// out of the buffer. `index` must be below `count`.
    @inline(__always)
    func scalar(at index: Int) -> (value: UInt32, length: Int) {
        let lead = self[index]
        if lead < 0x80 { return (UInt32(lead), 1) }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, lead <= 0xF4, count - index >= length else { return (0xFFFD, 1) }
        var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
        for offset in 1..<length {
            let next = self[index + offset]
            guard next & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            value = value << 6 | UInt32(next & 0x3F)
        }
        return (value, length)
    }

    /// The scalar that ends before `index`, and its number of bytes. `index` must be above 0 and at most `count`.
    func scalar(before index: Int) -> (value: UInt32, length: Int) {
        let earliest = Swift.max(0, index - 4)
        var start = index - 1
        while start > earliest, self[start] & 0xC0 == 0x80 { start -= 1 }
        let (value, length) = scalar(at: start)
        return length == index - start ? (value, length) : (0xFFFD, 1)
    }

    /// The bytes in `range`, as a buffer of their own.
    @inline(__always)
    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: self[range]) }
}
