import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation

/// Reads what options and operands name: a file, a pipe, or standard input as `-`.
enum InputFile {
    /// The most that is read, in bytes; more than anything that the commands take may have.
    private static let limit = 1 << 30
    /// The argument that has standard input.
    private static let standardInputReader = Mutex<String?>(nil)

    /// The bytes of what `path` names.
    /// - Parameters:
    ///   - path: a path, or `-` for standard input, which can be read for one argument only.
    ///   - argument: what named it, for the error.
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

    /// Opens `path` for the caller to read; otherwise as ``read(_:for:)``.
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

    /// The bytes of what `text` is: JSON, or the path of a file with it.
    static func readJSON(_ text: String, for argument: String) throws(UsageError) -> Data {
        let first = text.first { !$0.isWhitespace }
        if first == "{" || first == "[" { return Data(text.utf8) }
        return try read(text, for: argument)
    }

    /// The JSON that `text` is, or that the file has which it names.
    static func readValue(_ text: String, for argument: String) throws(UsageError) -> JSValue {
        try value(of: readJSON(text, for: argument), for: argument)
    }

    /// As ``readValue(_:for:)``, with the first name that two members of an object have, of which only the last one
    /// counts.
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

    /// Takes standard input for `argument`; if another one has it, that one is returned.
    private static func claimStandardInput(for argument: String) -> String? {
        standardInputReader.withLock { reader in
            if let reader { return reader }
            reader = argument
            return nil
        }
    }
}
