import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A lock on a file that ends with its owner, however the owner ends.
///
/// It belongs to the open file, so it also keeps a second owner in the same process out. The file stays where it is: if
/// it were deleted, two owners could hold locks on two files of one name.
final class FileLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Takes the lock, or waits for it for up to `patience` milliseconds.
    /// - Throws: `StorageError` about `database`, with `code` if the lock is taken.
    init(
        _ path: String, for database: String, patience: Int32, orElse code: StorageError.Code
    ) throws(StorageError) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno: errno, path: database) }
        let end = ContinuousClock.now + .milliseconds(patience)
        // After a throw from here on `deinit` closes, which runs although this initializer fails: a second
        // `close` could meet a file that another thread has opened meanwhile.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            guard number == EWOULDBLOCK else { throw StorageError(errno: number, path: database) }
            guard ContinuousClock.now < end else { throw StorageError(code, path: database) }
            // A wait within the call could not be ended, and a stopped process may hold the lock.
            usleep(1000)
        }
    }

    /// Whether its path leads to the file that is locked. Elsewhere it excludes no process.
    var isInPlace: Bool { FileIdentity(ofOpen: descriptor, at: path) != nil }

    deinit {
        guard descriptor >= 0 else { return }
        // A child that this process is just forking has the descriptor too, until it executes something else.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// Which file a path leads to.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// The file at `path`; `nil` if it does not exist.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The open file; `nil` unless `path` leads to it.
    init?(ofOpen descriptor: Int32, at path: String) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
        if self != FileIdentity(of: path) { return nil }
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// What the stores do to files besides opening databases.
enum FileSystem {
    static func makeFolder(of path: String) throws(StorageError) {
        let folder = (path as NSString).deletingLastPathComponent
        // Only the owner may read visitors' records.
        do {
            try FileManager.default.createDirectory(
                atPath: folder.isEmpty ? "." : folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            let number = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
            throw StorageError(errno: number.flatMap(Int32.init(exactly:)) ?? 0, path: path)
        }
    }

    /// Makes an empty file that only its owner may read; those that SQLite makes beside it get the same permissions.
    static func makeFile(_ path: String) {
        // Never opens a file that is there: to close it again would end the locks that this process has on it. If it
        // cannot be made, SQLite will say why.
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Waits until the disk has the names of the files in the folder of `path`.
    static func syncFolder(of path: String, for database: String) throws(StorageError) {
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno: errno, path: database) }
        defer { close(descriptor) }
        guard syncToDisk(descriptor) else { throw StorageError(errno: errno, path: database) }
    }

    /// Renames the file and those that belong to it, and returns the new name.
    static func setAside(_ path: String, as name: String) throws(StorageError) -> String {
        let files = FileManager.default
        let aside = freeName(beside: path)
        do {
            try files.moveItem(atPath: path, toPath: aside)
            // Left behind they would be taken for the new file's.
            for suffix in ["-wal", "-shm"] where files.fileExists(atPath: path + suffix) {
                try files.moveItem(atPath: path + suffix, toPath: aside + suffix)
            }
        } catch {
            throw StorageError(.corrupt, path: name)
        }
        return aside
    }

    private static func freeName(beside path: String) -> String {
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).corrupt-\(number)") { number += 1 }
        return "\(path).corrupt-\(number)"
    }

    /// Where `path` leads through symbolic links, whether there is a file or not.
    static func destination(of path: String) -> String {
        var path = path
        // As many links as the system follows.
        for _ in 0..<40 {
            if let real = realPath(path) { return real }
            let folder = (path as NSString).deletingLastPathComponent
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                let name = (path as NSString).lastPathComponent
                return realPath(folder.isEmpty ? "." : folder).map { "\($0)/\(name)" } ?? path
            }
            path = target.hasPrefix("/") ? target : "\(folder.isEmpty ? "." : folder)/\(target)"
        }
        return path
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Whether the file at `path` has further names, under which nothing of ours looks for its locks and its log.
    static func isHardLinked(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_nlink > 1
    }
}

extension StorageError {
    /// The error for one of the operating system's error numbers.
    init(errno number: Int32, path: String) {
        let code: Code =
            switch number {
            case EACCES, EPERM, EROFS: .readOnly
            case ENOSPC, EDQUOT, EFBIG: .full
            case EIO: .inputOutput
            default: .cannotOpen
            }
        self.init(code, path: path, underlyingCode: number)
    }
}
