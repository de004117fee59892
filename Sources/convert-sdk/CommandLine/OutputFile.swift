import ConvertTransport
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes the files that options name.
enum OutputFile {
    /// Writes `text` to the file at `path`, and replaces its contents; errors name `argument`.
    ///
    /// A regular file is written completely or not at all. A link, a pipe or a device stays, and receives the text.
    static func write(_ text: String, to path: String, for argument: String) throws(UsageError) {
        var isDirectory: ObjCBool = false
        // Safe: Foundation writes only to `isDirectory`, during the call.
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
