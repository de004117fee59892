#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

// Threads that lock, hold and release one object all the time wait for each other at its lock and its reference count,
// which costs each of them more than the rest of a decision (W1x2). It is public because across modules the compiler
// inlines only what is.

/// Several elements that stand for one which all threads share, so that threads seldom meet at one of them.
///
/// Which element a thread gets matters to its speed only: two threads may get the same, and a thread may release what it
/// got on another one.
///
/// Invariant of the memory: `cells` is initialized with ``count`` cells from the start to the end, and only lent.
@frozen
public struct Striped<Element: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
    /// An element with what keeps it out of the next one's cache lines, of which processors fetch two at a time.
    @frozen
    @usableFromInline
    struct Cell: ~Copyable {
        @usableFromInline let element: Element
        @usableFromInline let padding = SIMD16<UInt64>.zero

        fileprivate init(_ element: consuming Element) { self.element = element }
    }

    /// How many elements there are.
    package static var count: Int { 32 }

    @usableFromInline let cells: UnsafeMutablePointer<Cell>

    /// Elements that `make` makes, one after the other.
    package init(_ make: () -> Element) {
        cells = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (cells + index).initialize(to: Cell(make())) }
    }

    deinit {
        cells.deinitialize(count: Self.count)
        cells.deallocate()
    }

    /// Lends the calling thread's element.
    @inlinable
    @inline(__always)
    public func withCurrent<Result, Failure: Error>(
        _ body: (borrowing Element) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(cells[currentStripe].element)
    }

    /// Lends the element at `index`, which is taken modulo ``count``.
    package func withElement<Result>(at index: Int, _ body: (borrowing Element) -> Result) -> Result {
        body(cells[index & (Self.count - 1)].element)
    }
}

/// What the objects of stripes carry to keep the next one's reference count out of an object's cache lines.
package typealias StripePadding = SIMD16<UInt64>

/// The calling thread's index into the elements of ``Striped``.
@inlinable
var currentStripe: Int {
    #if canImport(Glibc)
    let thread = UInt64(pthread_self())
    #else
    let thread = UInt64(UInt(bitPattern: pthread_self()))
    #endif
    // Threads' descriptors lie at even distances, which a multiplication by the golden ratio spreads best.
    return Int(truncatingIfNeeded: ((thread &>> 12) &* 0x9E37_79B9_7F4A_7C15) &>> 59)
}
