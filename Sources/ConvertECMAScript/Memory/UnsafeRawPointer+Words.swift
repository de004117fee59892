extension UnsafeRawPointer {
    /// The next `count` bytes, fewer than 8, as the low bytes of a word. The caller ensures that they can be read;
    /// bytes after them are not read.
    @inlinable @inline(__always)
    package func loadWord(count: Int) -> UInt64 {
        if count >= 4 {
            // Bytes in both halves are the same, so combining the halves does not change them.
            let end = count &- 4
            return unsafe UInt64(UInt32(littleEndian: loadUnaligned(as: UInt32.self)))
                | UInt64(UInt32(littleEndian: loadUnaligned(fromByteOffset: end, as: UInt32.self))) &<< UInt64(8 &* end)
        }
        if count >= 2 {
            let end = count &- 2
            return unsafe UInt64(UInt16(littleEndian: loadUnaligned(as: UInt16.self)))
                | UInt64(UInt16(littleEndian: loadUnaligned(fromByteOffset: end, as: UInt16.self))) &<< UInt64(8 &* end)
        }
        return unsafe count == 1 ? UInt64(load(as: UInt8.self)) : 0
    }

    /// Whether the next `count` bytes equal the bytes at `other`. The caller ensures that both can be read.
    // Keep comparing words: comparing byte by byte takes most of a look-up's time.
    @inlinable @inline(__always)
    package func hasSameBytes(as other: UnsafeRawPointer, count: Int) -> Bool {
        // Up to seven bytes are compared as two halves that overlap.
        if count < 8 {
            if count >= 4 {
                let end = count &- 4
                return unsafe loadUnaligned(as: UInt32.self) == other.loadUnaligned(as: UInt32.self)
                    && loadUnaligned(fromByteOffset: end, as: UInt32.self)
                        == other.loadUnaligned(fromByteOffset: end, as: UInt32.self)
            }
            if count >= 2 {
                let end = count &- 2
                return unsafe loadUnaligned(as: UInt16.self) == other.loadUnaligned(as: UInt16.self)
                    && loadUnaligned(fromByteOffset: end, as: UInt16.self)
                        == other.loadUnaligned(fromByteOffset: end, as: UInt16.self)
            }
            return unsafe count == 0 || load(as: UInt8.self) == other.load(as: UInt8.self)
        }
        var index = 0
        while index &+ 8 <= count {
            let word = unsafe loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if unsafe word != other.loadUnaligned(fromByteOffset: index, as: UInt64.self) { return false }
            index &+= 8
        }
        // The last word may overlap the word before it, so that no byte after the end is read.
        let last = count &- 8
        return unsafe loadUnaligned(fromByteOffset: last, as: UInt64.self)
            == other.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    }
}
