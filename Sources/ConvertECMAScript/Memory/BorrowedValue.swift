/// A reference to a variable of the caller.
///
/// Invariant: a reference is used only inside the closure that received it, or while the owner lives, and by one
/// thread. No two accesses overlap.
@safe
@usableFromInline
package struct BorrowedValue<Value: ~Copyable> {
    @usableFromInline let pointer: UnsafeMutablePointer<Value>

    /// Refers to the variable at `pointer`, which must outlive the instance.
    @unsafe @inlinable @inline(__always)
    package init(_ pointer: UnsafeMutablePointer<Value>) { unsafe self.pointer = pointer }

    /// The variable.
    @inlinable package var value: Value {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
    }
}

/// Calls `body` with a reference to `value`.
@inlinable @inline(__always)
package func withBorrowedValue<Value: ~Copyable, Result>(
    _ value: inout Value, _ body: (BorrowedValue<Value>) -> Result
) -> Result {
    unsafe withUnsafeMutablePointer(to: &value) { unsafe body(BorrowedValue($0)) }
}
