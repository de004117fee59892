/// A value in its own memory, which is freed with its owner. Unlike a variable, the value never changes its address.
///
/// Invariant: pointers to the value are used only while the owner lives.
struct Owned<Value: ~Copyable>: ~Copyable {
    /// The address of the value.
    let pointer: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
