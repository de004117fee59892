extension SIMD2<UInt64> {
    /// The mask's bytes, the first one lowest: all bits set or none.
    @inline(__always)
    init(mask: SIMDMask<SIMD16<Int8>>) {
        // A mask has one byte for each place, and -1 means true.
        let halves = unsafe unsafeBitCast(mask, to: Self.self)
        self.init(UInt64(littleEndian: halves.x), UInt64(littleEndian: halves.y))
    }
}
