import Foundation

/// A lock on a file. It ends with the process that holds it, even after a crash.
///
/// It belongs to the open file, so it also excludes a second owner in the same process. The lock file is never deleted:
/// otherwise two owners could lock two files of the same name.
final class FileLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Takes the lock. Waits for up to `patience` milliseconds if it is taken.
    /// - Throws: `StorageError` about `database`, with `code` if the lock is taken.
    init(
        _ path: String, for database: String, patience: Int32, orElse code: StorageError.Code
    ) throws(StorageError) {
        self.path = path
        // Safe: the system calls in this file use their pointers only during the call.
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno: errno, path: database) }
        let end = ContinuousClock.now + .milliseconds(patience)
        // From here on, `deinit` closes the file, also if this initializer throws. Closing it here too could close
        // another thread's file that has the same descriptor by then.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            guard number == EWOULDBLOCK else { throw StorageError(errno: number, path: database) }
            guard ContinuousClock.now < end else { throw StorageError(code, path: database) }
            // The blocking form cannot be interrupted, and a suspended process may hold the lock.
            usleep(1000)
        }
    }

    /// Whether the path still leads to the locked file. If not, the lock excludes no other process.
    var isInPlace: Bool { FileIdentity(ofOpen: descriptor, at: path) != nil }

    deinit {
        guard descriptor >= 0 else { return }
        // A child process that is being forked also has the descriptor until it executes another program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// The identity of the file that a path leads to.
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

/// The stores' operations on files, apart from opening databases.
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

    /// Creates an empty file with access for its owner only. SQLite gives the files beside it the same permissions.
    static func makeFile(_ path: String) {
        // An existing file must not be opened: closing it would release this process's locks on it. If the file cannot
        // be created, SQLite reports the reason.
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Renames the file and its companions (`-wal`, `-shm`) and returns the new name.
    static func setAside(_ path: String, as name: String) throws(StorageError) -> String {
        let files = FileManager.default
        let aside = freeName(beside: path)
        do {
            try files.moveItem(atPath: path, toPath: aside)
            // SQLite would otherwise use them with the new file.
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

    /// The path with symbolic links resolved. The file itself need not exist.
    static func destination(of path: String) -> String {
        var path = path
        // The system follows the same number of links.
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

    /// Whether the file at `path` has further hard links. Locks and log are looked for only beside the path in use.
    static func isHardLinked(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_nlink > 1
    }
}

extension StorageError {
    /// The error for an error number of the operating system.
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
