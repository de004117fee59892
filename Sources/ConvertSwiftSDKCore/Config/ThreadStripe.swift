#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The number of the stripe that a thread uses of something that all threads share.
///
/// Threads that hold and release one object all the time wait for each other at its reference count, which costs each of
/// them more than the rest of a decision. So several objects stand for one, and threads seldom meet at one of them. Which
/// one a thread gets matters to its speed only: two threads may get the same, and a thread may release what it got on
/// another one.
package enum ThreadStripe {
    /// How many there are.
    package static let count = 32

    /// The calling thread's number.
    package static var current: Int {
        #if canImport(Glibc)
            let thread = UInt64(pthread_self())
        #else
            let thread = UInt64(UInt(bitPattern: pthread_self()))
        #endif
        // Threads' descriptors lie at even distances, which a multiplication by the golden ratio spreads best.
        return Int(truncatingIfNeeded: ((thread &>> 12) &* 0x9E37_79B9_7F4A_7C15) &>> 59)
    }
}

/// What the objects of stripes carry to keep the next one's reference count out of an object's cache lines, of which processors fetch two at a time.
package typealias StripePadding = SIMD16<UInt64>
