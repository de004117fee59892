extension String {
    /// Creates a text of `bytes` in UTF-8, of which there are at most `capacity`. If they fit a string without memory
    /// of its own, none is allocated.
    @inline(__always)
    init(capacity: Int, _ bytes: some Sequence<UInt8>) {
        unsafe self.init(unsafeUninitializedCapacity: capacity) { unsafe $0.initialize(from: bytes).index }
    }
}
