#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Waits until everything written to an open file, or the entries of an open folder, is on the disk.
/// - Returns: whether that succeeded. If not, `errno` has the reason.
func syncToDisk(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
    // Here `fsync` leaves data in the disk's own cache. File systems without `F_FULLFSYNC`, such as network file
    // systems, refuse it; any other failure is the disk's.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    guard [ENOTSUP, EOPNOTSUPP, ENOTTY, EINVAL].contains(errno) else { return false }
    #endif
    return fsync(descriptor) == 0
}
