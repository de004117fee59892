#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Android)
internal import Android
#endif

/// Memory of the system's allocator.
///
/// What pointers allocate comes from `posix_memalign` on Linux, which takes three times as long as `malloc`, though all
/// that is stored here is aligned by either. Workload W1 pays for it.
enum HeapMemory {
    /// Memory for `byteCount` bytes, aligned for pointers and numbers. It is not initialized.
    @inline(__always)
    static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        // Without memory the second allocation ends the process, as all do in Swift.
        malloc(byteCount) ?? .allocate(byteCount: byteCount, alignment: 16)
    }

    /// Frees memory that ``allocate(byteCount:)`` gave.
    @inline(__always)
    static func deallocate(_ memory: UnsafeMutableRawPointer) { free(memory) }
}
