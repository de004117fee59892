import ConvertTransport
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes what options name.
enum OutputFile {
    /// Writes `text` to the file at `path`, in place of what was there; `argument` named it, for the error.
    static func write(_ text: String, to path: String, for argument: String) throws(UsageError) {
        var isDirectory: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw UsageError("\(argument): \(FileFailure(EISDIR, at: path, .written))")
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw UsageError("\(argument): \(FileFailure(error.systemNumber, at: path, .written))")
        }
    }
}
