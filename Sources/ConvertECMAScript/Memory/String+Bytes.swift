extension String {
    /// Creates a text of `bytes` in UTF-8, at most `capacity` bytes. If `capacity` fits an inline string, no memory is
    /// allocated.
    @inline(__always)
    init(capacity: Int, _ bytes: some Sequence<UInt8>) {
        // Safe: `initialize` stops at the capacity, and returns the number of initialized bytes.
        unsafe self.init(unsafeUninitializedCapacity: capacity) { unsafe $0.initialize(from: bytes).index }
    }
}
