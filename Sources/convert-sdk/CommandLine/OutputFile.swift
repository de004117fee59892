import Foundation

/// Writes what options name.
enum OutputFile {
    /// Writes `text` to the file at `path`, in place of what was there; `argument` named it, for the error.
    static func write(_ text: String, to path: String, for argument: String) throws(UsageError) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw UsageError("\(argument): '\(path)' cannot be written; see that its folder is there and has room")
        }
    }
}
