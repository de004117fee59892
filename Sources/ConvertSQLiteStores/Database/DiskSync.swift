#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Waits until the disk has what was written to an open file, or the names of the files in an open folder.
/// - Returns: whether it has. If not, `errno` says why.
func syncToDisk(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
    // `fsync` leaves the data in the disk's own cache there. File systems without this call refuse it, those of
    // networks among them; another failure is the disk's.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    guard [ENOTSUP, EOPNOTSUPP, ENOTTY, EINVAL].contains(errno) else { return false }
    #endif
    return fsync(descriptor) == 0
}
