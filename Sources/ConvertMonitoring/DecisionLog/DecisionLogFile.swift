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

/// Appends the lines of a decision log to a file that only its owner may read.
///
/// The file is opened for every batch, so it can be moved away at any time; the next batch begins a new one. Several
/// processes may share it.
public struct DecisionLogFile: DecisionLogSink {
    private let path: String

    /// Lines go to the file at `url`, which is made if it is missing; its folder is not.
    public init(_ url: URL) { path = url.path }

    /// Appends `lines`; the error says whether the file cannot be made or has no room.
    public func write(_ lines: Data) throws {
        do {
            let file = try FileDescriptor(path, O_RDWR | O_APPEND | O_CREAT, rights: 0o600)
            // What a full disk or a killed process cut off must not swallow the next line.
            let isWhole = try file.ends(with: UInt8(ascii: "\n"))
            try file.write(isWhole ? lines : [UInt8(ascii: "\n")] + lines)
        } catch RegularFile.Failure.system(let number) {
            throw FileFailure(number, at: path, .written)
        }
    }
}
