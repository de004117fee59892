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

/// Reads files that somebody else put in their place, and replaces them.
package enum RegularFile {
    /// Why a file is not read.
    package enum Failure: Error, Equatable {
        /// A folder, a device, or a pipe, whose end might never come.
        case notRegular
        /// It is longer than the limit.
        case tooLong
        /// Others than its owner may write it, or it belongs to somebody else.
        case notOwn
        /// The system does not open it, for the reason that this error number stands for.
        case system(Int32)
    }

    /// The file's bytes, at most `limit` of them.
    /// - Parameter isOwn: whether only this process' user, or the system's, may have written it.
    package static func read(_ url: URL, limit: Int, isOwn: Bool = false) throws -> Data {
        // Without waiting for the writer that a pipe may never have.
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

    /// Puts a file of `data` in the place of `url`, or of what a link of this process' user leads to, that only its owner may
    /// read. Whoever reads at the same moment, or after a crash, finds the whole old file or the whole new one. A folder that
    /// is missing is made for its owner alone.
    /// - Throws: ``Failure`` if there is something else than a file to replace, or somebody else's link; what the system says.
    package static func replace(_ url: URL, with data: Data) throws {
        let url = try target(of: url)
        let folder = url.deletingLastPathComponent()
        if !FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.createDirectory(
                atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        // Named by a hash, because the file's name may be as long as names may be.
        let name = ".\(String(url.lastPathComponent.utf8.fnv1a, radix: 16))."
        removeParts(named: name, in: folder)
        let part = folder.appending(path: "\(name)\(UUID().uuidString)\(partSuffix)").path
        let file = try FileDescriptor(part, O_WRONLY | O_CREAT | O_EXCL, rights: 0o600)
        do {
            try file.write(data)
            // Before the name leads to it, or a power cut could leave the name of an empty file.
            try file.synchronize()
            try file.close()
            guard rename(part, url.path) == 0 else { throw Failure.system(errno) }
        } catch {
            unlink(part)
            throw error
        }
    }

    private static let partSuffix = ".part"
    /// After so many seconds a part has no writer any more.
    private static let partLifetime: TimeInterval = 3600

    /// The file that `url` names, through links.
    private static func target(of url: URL) throws -> URL {
        var status = stat()
        if lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, !isTrusted(status) {
            throw Failure.notOwn
        }
        let target = url.resolvingSymlinksInPath()
        if stat(target.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw Failure.notRegular }
        return target
    }

    /// Whether it belongs to this process' user or to the system's.
    private static func isTrusted(_ status: stat) -> Bool { status.st_uid == geteuid() || status.st_uid == 0 }

    /// Removes what processes that were killed amid a write have left behind.
    private static func removeParts(named name: String, in folder: URL) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for file in files where file.hasPrefix(name) && file.hasSuffix(partSuffix) {
            let path = folder.appending(path: file).path
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let date = attributes[.modificationDate] as? Date, date.timeIntervalSinceNow < -partLifetime
            else { continue }
            unlink(path)
        }
    }
}
