import ConvertTransport
public import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Appends the lines of a decision log to a file that only its owner may read.
///
/// The file is opened for every batch, so it can be moved away at any time; the next batch begins a new one. Several processes
/// may share it.
public struct DecisionLogFile: DecisionLogSink {
    private let path: String

    /// Lines go to the file at `url`, which is made if it is missing; its folder is not.
    public init(_ url: URL) { path = url.path }

    /// Appends `lines`; the error says whether the file cannot be made or has no room.
    public func write(_ lines: Data) throws {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure(errno, at: path, .written) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? file.close() }
        let end = try file.seekToEnd()
        if end > 0 {
            // What a full disk or a killed process cut off must not swallow the next line.
            try file.seek(toOffset: end - 1)
            if try file.read(upToCount: 1) != Data([UInt8(ascii: "\n")]) {
                return try file.write(contentsOf: [0x0a] + lines)
            }
        }
        try file.write(contentsOf: lines)
    }
}
