extension Array {
    /// The elements that `next` gives, which begins with the last one, until it gives `nil` or there are `capacity` of them.
    @inline(__always)
    init(backwards capacity: Int, _ next: () -> Element?) {
        self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
            var first = capacity
            while first > 0, let element = next() {
                first -= 1
                buffer.initializeElement(at: first, to: element)
            }
            count = capacity - first
            if first > 0 { _ = buffer.moveInitialize(fromContentsOf: buffer[first..<capacity]) }
        }
    }
}
