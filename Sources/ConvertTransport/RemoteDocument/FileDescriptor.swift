#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

#if canImport(Darwin)
package import Darwin
#elseif canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#endif

/// An open file of the operating system, which is closed when its last use is over.
///
/// Foundation's `FileHandle` is not in FoundationEssentials, and full Foundation links the tables of all languages.
package struct FileDescriptor: ~Copyable {
    private let number: Int32

    /// Opens the file at `path` with the flags and rights of `open(2)`.
    /// - Throws: why the system does not open it.
    package init(_ path: String, _ flags: Int32, rights: mode_t = 0) throws(RegularFile.Failure) {
        number = open(path, flags | O_CLOEXEC, rights)
        if number < 0 { throw .system(errno) }
    }

    deinit { if number >= 0 { _ = systemClose(number) } }

    /// What the system knows of the file; `nil` if it does not say.
    package var status: stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }

    /// Whether the file ends with `byte`. An empty file does.
    package func ends(with byte: UInt8) throws(RegularFile.Failure) -> Bool {
        let end = lseek(number, 0, SEEK_END)
        if end < 0 { throw .system(errno) }
        guard end > 0 else { return true }
        if lseek(number, end - 1, SEEK_SET) < 0 { throw .system(errno) }
        return try read(1).first == byte
    }

    /// The next bytes, at most `count` of them; none at the end of the file.
    package func read(_ count: Int) throws(RegularFile.Failure) -> Data {
        var part = Data(count: count)
        while true {
            let length = part.withUnsafeMutableBytes { systemRead(number, $0.baseAddress, $0.count) }
            if length >= 0 { return part.prefix(length) }
            if errno != EINTR { throw .system(errno) }
        }
    }

    /// Gives all of `bytes` to the system.
    package func write(_ bytes: Data) throws(RegularFile.Failure) { try Self.write(bytes, to: number) }

    /// Writes `bytes` to standard error, in one call as long as the system takes them in one.
    package static func writeToStandardError(_ bytes: Data) throws(RegularFile.Failure) {
        try write(bytes, to: STDERR_FILENO)
    }

    /// Closes the file. Some file systems say only now that what was written has no room.
    package consuming func close() throws(RegularFile.Failure) {
        let isClosed = systemClose(number) == 0
        let failure = errno
        discard self
        if !isClosed { throw .system(failure) }
    }

    /// Waits until the disk has what was written.
    package func synchronize() throws(RegularFile.Failure) { if fsync(number) != 0 { throw .system(errno) } }

    private static func write(_ bytes: Data, to number: Int32) throws(RegularFile.Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = rest.withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
            if length > 0 {
                rest = rest.dropFirst(length)
            } else if length == 0 {
                // It takes nothing, and does not say why.
                throw .system(EIO)
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }
}

// Within the type its own methods hide these.
private func systemRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(number, bytes, count)
}

private func systemClose(_ number: Int32) -> Int32 { close(number) }

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(number, bytes, count)
}
