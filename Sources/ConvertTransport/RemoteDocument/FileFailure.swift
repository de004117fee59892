#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Why the system did not open, read or write a file, and the remedy.
package struct FileFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The attempted operation.
    package enum Act: String, Sendable {
        case read, written
    }

    private let number: Int32
    private let path: String
    private let act: Act

    /// Creates a failure from the system's error number.
    package init(_ number: Int32, at path: String, _ act: Act) {
        self.number = number
        self.path = path
        self.act = act
    }

    /// One clause with the name of the file.
    package var description: String {
        switch number {
        case ENOENT where act == .read, ENOTDIR where act == .read: "there is no file '\(path)'"
        case EISDIR: "'\(path)' is a folder; give a file"
        default: "'\(path)' cannot be \(act.rawValue): \(reason)"
        }
    }

    private var reason: String {
        switch number {
        case ENOENT, ENOTDIR: "its folder does not exist; create it first"
        case EACCES, EPERM: "permission denied; check the permissions of the file and its folders"
        case ELOOP: "its links form a circle; give the file itself"
        case ENAMETOOLONG: "the name is too long; give a shorter one"
        case EMFILE: "the process has too many files open; raise its limit, with 'ulimit -n'"
        case ENFILE: "the system has too many files open; close some"
        case ENOSPC, EDQUOT: "no space is left; make room on the disk"
        case EFBIG: "the file would be larger than allowed"
        case EROFS: "the disk is read-only; choose another folder"
        case EIO: "the disk reports an error"
        case ENOMEM: "the system is out of memory"
        case ENXIO, ENODEV: "the device does not exist"
        case ETXTBSY, EBUSY: "the file is in use"
        case 0: "the system gave no reason"
        // Safe: the text of `strerror` ends with a zero, and is copied at once.
        default: unsafe String(cString: strerror(number))
        }
    }
}
