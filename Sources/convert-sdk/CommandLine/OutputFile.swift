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
    ///
    /// A file is there as a whole or not at all. A link, a pipe or a device is written through and stays.
    static func write(_ text: String, to path: String, for argument: String) throws(UsageError) {
        var isDirectory: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw UsageError("\(argument): \(FileFailure(EISDIR, at: path, .written))")
        }
        do {
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            try Data(text.utf8).write(
                to: URL(fileURLWithPath: path), options: type == nil || type == .typeRegular ? .atomic : [])
        } catch {
            throw UsageError("\(argument): \(FileFailure(error.systemNumber, at: path, .written))")
        }
    }
}
