package import Foundation

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
    package enum Failure: Error {
        /// A folder, a device, or a pipe, whose end might never come.
        case notRegular
        /// It is longer than the limit.
        case tooLong
    }

    /// The file's bytes, at most `limit` of them.
    package static func read(_ url: URL, limit: Int) throws -> Data {
        // Without waiting for the writer that a pipe may never have.
        let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? file.close() }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw Failure.notRegular }
        var data = Data()
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
            guard part.count <= limit - data.count else { throw Failure.tooLong }
            data += part
        }
        return data
    }

    /// Puts a file of `data` in the place of `url`, or of what it links to, that only its owner may read. Whoever reads at the
    /// same moment, or after a crash, finds the whole old file or the whole new one. A folder that is missing is made for its
    /// owner alone.
    package static func replace(_ url: URL, with data: Data) throws {
        let url = url.resolvingSymlinksInPath()
        let folder = url.deletingLastPathComponent().path
        if !FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let part = "\(url.path).\(UUID().uuidString).part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: data)
            // Before the name leads to it, or a power cut could leave the name of an empty file.
            try file.synchronize()
            try file.close()
            guard rename(part, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            unlink(part)
            throw error
        }
    }
}
