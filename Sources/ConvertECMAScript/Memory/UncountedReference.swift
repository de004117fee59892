/// A reference that does not keep its object alive. It is faster to copy than a strong one.
///
/// Invariant: an owner keeps the object alive while the reference is used.
@safe
@usableFromInline
package struct UncountedReference<Object: AnyObject> {
    @usableFromInline let reference: Unmanaged<Object>

    /// Refers to `object`, which must outlive the instance.
    @inlinable @inline(__always)
    package init(_ object: Object) { unsafe reference = .passUnretained(object) }

    /// The object.
    @inlinable package var object: Object {
        @inline(__always) get { unsafe reference.takeUnretainedValue() }
    }

    /// Calls `body` with the object.
    @inlinable @inline(__always)
    package func withObject<Result>(_ body: (Object) -> Result) -> Result {
        unsafe reference._withUnsafeGuaranteedRef(body)
    }
}

// Safe: the reference does not change.
extension UncountedReference: @unchecked Sendable where Object: Sendable {}
