/// A value in memory of its own, which ends with its owner. Unlike a variable it stays at one address.
///
/// Invariant: what points to the value is used only while the owner lives.
struct Owned<Value: ~Copyable>: ~Copyable {
    /// Where the value lies.
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
