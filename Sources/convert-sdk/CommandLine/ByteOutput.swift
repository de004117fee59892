import ConvertECMAScript
import ConvertTransport
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Standard output for a command that writes large amounts. Writing waits until the reader has read enough. Its
/// functions read a buffer only within its length, and only until they return.
struct ByteOutput: Sendable {
    /// Replaces ``Console`` as the writer, whose output must be flushed before.
    init() {
        // If the reader is gone, the next write notices.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes all of `bytes`. If the reader is gone, the process ends by `SIGPIPE`, as it would by default.
    ///
    /// The bytes are lines of JSON, and are escaped as ``Console`` escapes JSON.
    func write(_ bytes: UnsafeRawBufferPointer) throws(UsageError) {
        // Most lines are plain ASCII.
        guard unsafe bytes.contains(where: { $0 >= 0x7f }) else { return try unsafe write(all: bytes) }
        try write(unsafe String(decoding: bytes, as: UTF8.self).visibleJSON)
    }

    /// Writes bytes of CSV, which cannot escape characters. They stay as they are for programs. On a terminal, each
    /// line is shown as text for people.
    func write(cells bytes: UnsafeRawBufferPointer) throws(UsageError) {
        guard Console.isTerminal(STDOUT_FILENO) else { return try unsafe write(all: bytes) }
        let lines = unsafe String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        try write(lines.map { String($0).onOneLine }.joined(separator: "\n"))
    }

    private func write(_ text: String) throws(UsageError) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(UsageError) in try unsafe write(all: UnsafeRawBufferPointer(bytes)) }
        }
        try result.get()
    }

    private func write(all bytes: UnsafeRawBufferPointer) throws(UsageError) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let count = unsafe Self.write(UnsafeRawBufferPointer(rebasing: rest))
            if count >= 0 {
                unsafe rest = unsafe rest.dropFirst(count)
            } else if errno == EPIPE {
                Console.endProgress()
                ByteInput.die(by: SIGPIPE)
            } else if errno == EAGAIN {
                var file = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                unsafe poll(&file, 1, -1)
            } else if errno != EINTR {
                throw UsageError("\(FileFailure(errno, at: "standard output", .written))")
            }
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #elseif canImport(Glibc)
        unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
        Musl.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #endif
    }
}
