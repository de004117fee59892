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

/// An open file of the operating system. It is closed after its last use.
///
/// Foundation's `FileHandle` is not in FoundationEssentials, and full Foundation links the tables of all languages.
package struct FileDescriptor: ~Copyable {
    private let number: Int32

    /// Opens the file at `path` with the flags and permissions of `open(2)`.
    /// - Throws: the system's reason if the file cannot be opened.
    package init(_ path: String, _ flags: Int32, rights: mode_t = 0) throws(RegularFile.Failure) {
        number = unsafe open(path, flags | O_CLOEXEC, rights)
        if number < 0 { throw .system(errno) }
    }

    deinit { if number >= 0 { _ = systemClose(number) } }

    /// The system's information about the file; `nil` if the call fails.
    package var status: stat? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? status : nil
    }

    /// Whether the file ends with `byte`. An empty file counts as ending with it.
    package func ends(with byte: UInt8) throws(RegularFile.Failure) -> Bool {
        let end = lseek(number, 0, SEEK_END)
        if end < 0 { throw .system(errno) }
        guard end > 0 else { return true }
        if lseek(number, end - 1, SEEK_SET) < 0 { throw .system(errno) }
        return try read(1).first == byte
    }

    /// Reads the next bytes, at most `count`; empty at the end of the file.
    package func read(_ count: Int) throws(RegularFile.Failure) -> Data {
        var part = Data(count: count)
        while true {
            let length = unsafe part.withUnsafeMutableBytes { unsafe systemRead(number, $0.baseAddress, $0.count) }
            if length >= 0 { return part.prefix(length) }
            if errno != EINTR { throw .system(errno) }
        }
    }

    /// Writes all of `bytes`.
    package func write(_ bytes: Data) throws(RegularFile.Failure) { try Self.write(bytes, to: number) }

    /// Writes `bytes` to standard error, with a single call if the system accepts all of them.
    package static func writeToStandardError(_ bytes: Data) throws(RegularFile.Failure) {
        try write(bytes, to: STDERR_FILENO)
    }

    /// Closes the file. Some file systems only report here that written data does not fit on the disk.
    package consuming func close() throws(RegularFile.Failure) {
        let isClosed = systemClose(number) == 0
        let failure = errno
        discard self
        if !isClosed { throw .system(failure) }
    }

    /// Waits until written data is on the disk.
    package func synchronize() throws(RegularFile.Failure) { if fsync(number) != 0 { throw .system(errno) } }

    private static func write(_ bytes: Data, to number: Int32) throws(RegularFile.Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = unsafe rest.withUnsafeBytes { unsafe systemWrite(number, $0.baseAddress, $0.count) }
            if length > 0 {
                rest = rest.dropFirst(length)
            } else if length == 0 {
                // The system wrote nothing and gave no reason.
                throw .system(EIO)
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }
}

// Defined outside of the type, whose own methods would hide these functions. The system accesses at most `count` bytes,
// and only during the call.
private func systemRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(number, bytes, count)
}

private func systemClose(_ number: Int32) -> Int32 { close(number) }

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, bytes, count)
}
