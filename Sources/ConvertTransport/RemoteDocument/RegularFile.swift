#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reads files that other programs wrote, and replaces files.
package enum RegularFile {
    /// Why a file is not read.
    package enum Failure: Error, Equatable {
        /// The file is a folder, a device, or a pipe, which may never end.
        case notRegular
        /// The file is longer than the limit.
        case tooLong
        /// The file belongs to another user, or users other than its owner may write it.
        case notOwn
        /// The system's error number for the failure.
        case system(Int32)
    }

    /// Returns the file's bytes, at most `limit`.
    /// - Parameter isOwn: whether the file must belong to this process's user or to root, and no other user may write
    ///   it.
    /// - Throws: ``Failure``.
    package static func read(_ url: URL, limit: Int, isOwn: Bool = false) throws -> Data {
        // Does not wait for a writer, which a pipe may never have.
        let file = try FileDescriptor(url.path, O_RDONLY | O_NONBLOCK)
        guard let status = file.status, status.st_mode & S_IFMT == S_IFREG else { throw Failure.notRegular }
        if isOwn, !isTrusted(status) || status.st_mode & 0o022 != 0 { throw Failure.notOwn }
        var data = Data()
        while true {
            let part = try file.read(1 << 20)
            if part.isEmpty { break }
            guard part.count <= limit - data.count else { throw Failure.tooLong }
            data += part
        }
        return data
    }

    /// Writes `data` to a new file and moves it to `url`, or to the target of a link that the user of this process
    /// owns. Only the owner can read the file. At any moment, even after a crash, readers find either the complete old
    /// file or the complete new one. A missing folder is created with access for its owner only.
    /// - Throws: ``Failure`` if there is something other than a file to replace, or a link of another user; the
    ///   system's errors.
    package static func replace(_ url: URL, with data: Data) throws {
        let url = try target(of: url)
        let folder = url.deletingLastPathComponent()
        if !FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.createDirectory(
                atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        // Named by a hash, because the file's own name may already have the maximum length.
        let name = ".\(String(url.lastPathComponent.utf8.fnv1a, radix: 16))."
        removeParts(named: name, in: folder)
        let part = folder.appending(path: "\(name)\(UUID().uuidString)\(partSuffix)").path
        let file = try FileDescriptor(part, O_WRONLY | O_CREAT | O_EXCL, rights: 0o600)
        do {
            try file.write(data)
            // Before the rename; otherwise a power failure could leave an empty file under the name.
            try file.synchronize()
            try file.close()
            // Safe: the system calls in this file use their pointers only during the call.
            guard unsafe rename(part, url.path) == 0 else { throw Failure.system(errno) }
        } catch {
            unsafe unlink(part)
            throw error
        }
    }

    private static let partSuffix = ".part"
    /// After this many seconds a partial file has no writer any more.
    private static let partLifetime: TimeInterval = 3600

    /// The file that `url` leads to, through links.
    private static func target(of url: URL) throws -> URL {
        var status = stat()
        if unsafe lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, !isTrusted(status) {
            throw Failure.notOwn
        }
        let target = url.resolvingSymlinksInPath()
        if unsafe stat(target.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw Failure.notRegular }
        return target
    }

    /// Whether the file belongs to the user of this process or to the system's.
    private static func isTrusted(_ status: stat) -> Bool { status.st_uid == geteuid() || status.st_uid == 0 }

    /// Removes partial files of processes that were killed during a write.
    private static func removeParts(named name: String, in folder: URL) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for file in files where file.hasPrefix(name) && file.hasSuffix(partSuffix) {
            let path = folder.appending(path: file).path
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let date = attributes[.modificationDate] as? Date, date.timeIntervalSinceNow < -partLifetime
            else { continue }
            unsafe unlink(path)
        }
    }
}
