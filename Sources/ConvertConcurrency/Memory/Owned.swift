/// A value in its own memory, which is freed with its owner. Unlike a variable, the value never changes its address.
///
/// Invariant: pointers to the value are used only while the owner lives.
@safe
@usableFromInline
package struct Owned<Value: ~Copyable>: ~Copyable {
    /// The address of the value.
    @usableFromInline package let pointer: UnsafeMutablePointer<Value>

    /// Moves `value` into memory of its own.
    @inlinable
    package init(_ value: consuming Value) {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: value)
    }

    @inlinable
    deinit {
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }
}
