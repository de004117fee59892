import ConvertTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Appends the lines of a decision log to a file that only its owner can read.
///
/// The file is opened for each batch, so it can be moved away at any time; the next batch creates a new one. Several
/// processes can share it.
public struct DecisionLogFile: DecisionLogSink {
    private let path: String

    /// Creates a sink for the file at `url`. The first write creates the file if it is missing, but not its folder.
    public init(_ url: URL) { path = url.path }

    /// Appends `lines`. Blocks the thread until the system has them.
    /// - Throws: an error that names the file and the reason, such as a missing folder or a full disk.
    public func write(_ lines: Data) throws {
        do {
            let file = try FileDescriptor(path, O_RDWR | O_APPEND | O_CREAT, rights: 0o600)
            // After an incomplete line, which a full disk or a killed process left, the next line must start on its
            // own.
            let isWhole = try file.ends(with: UInt8(ascii: "\n"))
            try file.write(isWhole ? lines : [UInt8(ascii: "\n")] + lines)
        } catch RegularFile.Failure.system(let number) {
            throw FileFailure(number, at: path, .written)
        }
    }
}
