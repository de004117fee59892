extension SIMD2<UInt64> {
    /// Creates a vector of the mask's bytes, the first byte lowest. A byte has all bits set for true, and no bits for
    /// false.
    @inline(__always)
    init(mask: SIMDMask<SIMD16<Int8>>) {
        // Safe: both types have 16 bytes, and every bit pattern is valid. In a mask, -1 means true.
        let halves = unsafe unsafeBitCast(mask, to: Self.self)
        self.init(UInt64(littleEndian: halves.x), UInt64(littleEndian: halves.y))
    }
}
