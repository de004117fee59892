/// A view of elements in memory that another value owns. An index out of range traps.
///
/// Invariant: a view is used only inside the closure that received it, or while the value that returned it lives and
/// does not change. It is never stored longer. `Span` can replace it once noncopyable types can return spans.
@safe
@usableFromInline
package struct Borrowed<Element> {
    /// The elements' memory.
    @usableFromInline let buffer: UnsafeBufferPointer<Element>

    /// Creates a view of `buffer`, which must outlive the view.
    @unsafe @inlinable @inline(__always)
    package init(_ buffer: UnsafeBufferPointer<Element>) { unsafe self.buffer = buffer }

    /// A view without elements.
    @inlinable package static var empty: Borrowed {
        @inline(__always) get { unsafe Borrowed(UnsafeBufferPointer(start: nil, count: 0)) }
    }

    /// The number of elements.
    @inlinable package var count: Int {
        @inline(__always) get { unsafe buffer.count }
    }

    /// The elements in `range`, as a view of their own.
    @inlinable @inline(__always)
    package func slice(_ range: Range<Int>) -> Borrowed {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe Borrowed(UnsafeBufferPointer(rebasing: buffer[range]))
    }
}

extension Borrowed: RandomAccessCollection {
    /// 0.
    @inlinable package var startIndex: Int {
        @inline(__always) get { 0 }
    }

    /// The number of elements.
    @inlinable package var endIndex: Int {
        @inline(__always) get { count }
    }

    /// The element at `index`.
    @inlinable package subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return unsafe buffer[index]
        }
    }

    /// Iterates over the elements without checking indices, because its position is always within them.
    @usableFromInline
    package struct Iterator: IteratorProtocol {
        @usableFromInline let elements: Borrowed
        @usableFromInline var position = 0

        @inlinable @inline(__always)
        init(_ elements: Borrowed) { self.elements = elements }

        /// The next element.
        @inlinable @inline(__always)
        package mutating func next() -> Element? {
            guard position < elements.count else { return nil }
            defer { position &+= 1 }
            return unsafe elements.buffer[position]
        }
    }

    /// An iterator over the elements.
    @inlinable @inline(__always)
    package func makeIterator() -> Iterator { Iterator(self) }

    /// Calls `body` with the elements' memory.
    @inlinable @inline(__always)
    package func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<Element>) throws -> Result
    ) rethrows -> Result? {
        try unsafe body(buffer)
    }
}

extension Array {
    /// Creates a copy of borrowed elements.
    @inlinable @inline(__always)
    package init(_ elements: Borrowed<Element>) { unsafe self.init(elements.buffer) }
}

extension Collection {
    /// Calls `body` with the elements. The elements are copied only if they are not contiguous in memory.
    @inlinable @inline(__always)
    package func withElements<Result, Failure: Error>(
        _ body: (Borrowed<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = withContiguousStorageIfAvailable { buffer in
            Swift.Result { () throws(Failure) in try unsafe body(Borrowed(buffer)) }
        }
        if let result { return try result.get() }
        return try ContiguousArray(self).withElements(body)
    }
}

extension String {
    /// Calls `body` with the text's UTF-8. The text is copied only if it is not stored as contiguous UTF-8.
    @inlinable @inline(__always)
    package func withUTF8Bytes<Result>(_ body: (ByteText) -> Result) -> Result {
        if let result = unsafe utf8.withContiguousStorageIfAvailable({ unsafe body(ByteText($0)) }) { return result }
        var copy = self
        return copy.withUTF8 { unsafe body(ByteText($0)) }
    }
}
