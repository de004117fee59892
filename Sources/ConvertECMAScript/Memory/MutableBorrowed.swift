/// A view like ``Borrowed``, with the same invariant, whose elements can be changed. Only one thread at a time uses the
/// memory.
@safe
@usableFromInline
package struct MutableBorrowed<Element: BitwiseCopyable> {
    @usableFromInline let buffer: UnsafeMutableBufferPointer<Element>

    /// Creates a view of `buffer`, which must outlive the view.
    @unsafe @inlinable @inline(__always)
    package init(_ buffer: UnsafeMutableBufferPointer<Element>) { unsafe self.buffer = buffer }

    /// The number of elements.
    @inlinable package var count: Int {
        @inline(__always) get { unsafe buffer.count }
    }

    /// The elements' indices.
    @inlinable package var indices: Range<Int> {
        @inline(__always) get { 0..<count }
    }

    /// The element at `index`.
    @inlinable package subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return unsafe buffer[index]
        }
        @inline(__always) nonmutating set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            unsafe buffer[index] = newValue
        }
    }

    /// Sets all elements to `element`.
    @inlinable
    package func update(repeating element: Element) { unsafe buffer.update(repeating: element) }

    /// Copies the elements of `other`, which must have the same number of elements.
    @inlinable
    package func update(from other: MutableBorrowed) {
        precondition(other.count == count)
        _ = unsafe buffer.update(fromContentsOf: other.buffer)
    }
}
