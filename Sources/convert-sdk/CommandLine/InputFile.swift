import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation

/// Reads the inputs that options and operands name: a file, a pipe, or `-` for standard input.
enum InputFile {
    /// The maximum number of bytes to read, which is more than any command accepts.
    private static let limit = 1 << 30
    /// The argument that reads standard input.
    private static let standardInputReader = Mutex<String?>(nil)

    /// Returns the bytes of the input at `path`.
    /// - Parameters:
    ///   - path: a path, or `-` for standard input, which only one argument can read.
    ///   - argument: the argument that named `path`, for errors.
    static func read(_ path: String, for argument: String) throws(UsageError) -> Data {
        let file = try open(path, for: argument)
        let data: Data
        do {
            data = try file.read(upToCount: limit + 1) ?? Data()
        } catch {
            throw UsageError("\(argument): \(FileFailure(error.systemNumber, at: path, .read))")
        }
        guard data.count <= limit else { throw UsageError("\(argument): '\(path)' is longer than \(limit) bytes") }
        return data
    }

    /// Opens the input at `path`, which the caller reads. The parameters are those of ``read(_:for:)``.
    static func open(_ path: String, for argument: String) throws(UsageError) -> FileHandle {
        let isStandardInput = path == "-" || path == "/dev/stdin"
        if isStandardInput, let reader = claimStandardInput(for: argument) {
            throw UsageError("\(argument): standard input is read for \(reader); give a file")
        }
        if isStandardInput { return FileHandle.standardInput }
        do {
            return try SystemFile.open(path)
        } catch {
            throw UsageError("\(argument): \(error)")
        }
    }

    /// Returns the bytes of the JSON in `text`, or in the file whose path is `text`.
    static func readJSON(_ text: String, for argument: String) throws(UsageError) -> Data {
        let first = text.first { !$0.isWhitespace }
        if first == "{" || first == "[" { return Data(text.utf8) }
        return try read(text, for: argument)
    }

    /// Parses the JSON in `text`, or in the file whose path is `text`.
    static func readValue(_ text: String, for argument: String) throws(UsageError) -> JSValue {
        try value(of: readJSON(text, for: argument), for: argument)
    }

    /// Parses JSON as ``readValue(_:for:)`` does. Also returns the first name that occurs twice in an object, of which
    /// only the last member counts.
    static func readMembers(
        _ text: String, for argument: String
    ) throws(UsageError) -> (value: JSValue, repeatedName: String?) {
        let json = try readJSON(text, for: argument)
        let value = try value(of: json, for: argument)
        let document = json.withElements { try? ECMAScript.parseJSON($0) }
        return (value, document?.withRoot { $0.firstRepeatedName?.name })
    }

    private static func value(of json: Data, for argument: String) throws(UsageError) -> JSValue {
        do {
            return try JSValue(json: json)
        } catch {
            throw UsageError("\(argument) cannot be read: \(error)")
        }
    }

    /// Claims standard input for `argument`. If another argument has claimed it, returns that argument.
    private static func claimStandardInput(for argument: String) -> String? {
        standardInputReader.withLock { reader in
            if let reader { return reader }
            reader = argument
            return nil
        }
    }
}
