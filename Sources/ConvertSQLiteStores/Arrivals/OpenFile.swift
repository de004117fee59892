import ConvertConcurrency

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that is written to and read without a database, open until this object goes.
final class OpenFile: Sendable {
    let path: String
    /// The database as errors call it.
    private let database: String
    private let descriptor: Int32

    /// Opens the file, which is made if it is not there; only its owner may read it.
    init(_ path: String, for database: String) throws(StorageError) {
        self.path = path
        self.database = database
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // Whoever throws leaves closing to `deinit`.
        guard descriptor >= 0 else { throw StorageError(errno: errno, path: database) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether its own path leads to it.
    var isInPlace: Bool { FileIdentity(ofOpen: descriptor, at: path) != nil }

    var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Gives all of `bytes` to the operating system. What it took of them when it throws is not undone.
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
        var done = pwrite(descriptor, bytes, bytes.count, off_t(offset))
        if done == bytes.count || done > 0 && PlantedFault.isPlanted("short-write-taken-for-whole") { return }
        // Seldom: a signal came, or there is no more room.
        var written = 0
        while true {
            if done < 0 && PlantedFault.isPlanted("write-error-swallowed") { return }
            if done < 0 && errno != EINTR { throw StorageError(errno: errno, path: database) }
            written += max(done, 0)
            if written == bytes.count { return }
            let rest = Array(bytes[written...])
            done = pwrite(descriptor, rest, rest.count, off_t(offset + written))
            if done == 0 { throw StorageError(errno: ENOSPC, path: database) }
        }
    }

    /// Up to `count` bytes from `offset` on, fewer at the end of the file.
    func read(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let first = pread(descriptor, &bytes, count, off_t(offset))
        if first == count { return bytes }
        if first < 0 && errno != EINTR { throw StorageError(errno: errno, path: database) }
        bytes.removeLast(count - max(first, 0))
        if first == 0 { return bytes }
        return try bytes + read(count - bytes.count, at: offset + bytes.count)
    }

    func truncate(to size: Int) throws(StorageError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw StorageError(errno: errno, path: database) }
    }

    /// Waits until the disk has what was written.
    func sync() throws(StorageError) {
        if PlantedFault.isPlanted("sync-dropped") { return }
        guard syncToDisk(descriptor) else { throw StorageError(errno: errno, path: database) }
    }

    /// Removes the file's name, unless it is another file's by now.
    func unlink() { if isInPlace { _ = remove(path) } }
}
