#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

// Keep the stripes: threads that share one object wait for each other, for longer than the rest of a decision takes
// (W1x2). Keep the type public: as `package` it is slower in other modules.

/// Several elements in place of a single one that all threads share, so that threads seldom use the same element.
///
/// The choice of the element only affects speed: two threads may get the same element, and a thread may release an
/// element on another stripe.
///
/// Invariant of the memory: `cells` has ``count`` initialized cells until the instance is destroyed, and cells are only
/// borrowed.
@frozen
@safe
public struct Striped<Element: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
    /// An element with padding that keeps it out of the next one's cache lines. Processors load two lines at a time.
    @frozen
    @usableFromInline
    struct Cell: ~Copyable {
        @usableFromInline let element: Element
        @usableFromInline let padding = SIMD16<UInt64>.zero

        fileprivate init(_ element: consuming Element) { self.element = element }
    }

    /// The number of elements.
    package static var count: Int { 32 }

    @usableFromInline let cells: UnsafeMutablePointer<Cell>

    /// Creates the elements by calling `make` repeatedly.
    package init(_ make: () -> Element) {
        unsafe cells = .allocate(capacity: Self.count)
        for index in 0..<Self.count { unsafe (cells + index).initialize(to: Cell(make())) }
    }

    deinit {
        unsafe cells.deinitialize(count: Self.count)
        unsafe cells.deallocate()
    }

    /// Calls `body` with the calling thread's element.
    @inlinable
    @inline(__always)
    public func withCurrent<Result, Failure: Error>(
        _ body: (borrowing Element) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(cells[currentStripe].element)
    }

    /// Calls `body` with the element at `index`, which is taken modulo ``count``.
    package func withElement<Result>(at index: Int, _ body: (borrowing Element) -> Result) -> Result {
        unsafe body(cells[index & (Self.count - 1)].element)
    }
}

/// Padding for the objects in stripes, so that no two objects share a cache line.
package typealias StripePadding = SIMD16<UInt64>

/// The calling thread's index in the elements of ``Striped``.
@inlinable
var currentStripe: Int {
    #if canImport(Glibc)
    let thread = UInt64(pthread_self())
    #else
    let thread = UInt64(UInt(bitPattern: pthread_self()))
    #endif
    // Addresses of thread descriptors are at regular distances. Multiplying by the golden ratio distributes them
    // evenly.
    return Int(truncatingIfNeeded: ((thread &>> 12) &* 0x9E37_79B9_7F4A_7C15) &>> 59)
}
