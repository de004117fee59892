/// Values in a row, to which more are added, in memory of their own. It costs an array's reads and writes without the
/// checks of bounds and of sharing.
///
/// Invariant: every index is below `count`; the owner calls ``deallocate()`` once, after the last use, and makes no copy
/// that outlives an append. Workload W7 pays for it.
struct GrowableBuffer<Element: BitwiseCopyable>: BitwiseCopyable {
    /// The first value.
    private(set) var base: UnsafeMutablePointer<Element>

    /// How many values there are.
    private(set) var count = 0

    /// How many there is room for.
    private(set) var capacity: Int

    /// An empty buffer with room for `capacity` values, of which there must be at least one.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
        base = .allocate(capacity: self.capacity)
    }

    /// Frees the memory.
    func deallocate() { base.deallocate() }

    /// The value at `index`.
    subscript(index: Int) -> Element {
        @inline(__always) get { base[index] }
        @inline(__always) nonmutating set { base[index] = newValue }
    }

    /// Adds `element`.
    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        (base + count).initialize(to: element)
        count &+= 1
    }

    /// Removes and returns the last value. There must be one.
    @inline(__always)
    mutating func removeLast() -> Element {
        count &-= 1
        return base[count]
    }

    @inline(__always)
    private mutating func grow() {
        // By value, so that a buffer in a local variable can stay in registers.
        base = Self.moved(base, count: count, capacity: capacity * 2)
        capacity *= 2
    }

    @inline(never)
    private static func moved(
        _ base: UnsafeMutablePointer<Element>, count: Int, capacity: Int
    ) -> UnsafeMutablePointer<Element> {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        return larger
    }
}
