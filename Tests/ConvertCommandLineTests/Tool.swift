import ConvertTestSupport
import Foundation

/// The built tool, run as people run it.
enum Tool {
    struct Run {
        let status: Int32
        let output: String
        let errors: String

        /// The lines of standard error.
        var complaints: [Substring] { errors.split(separator: "\n") }
    }

    static func run(_ arguments: String..., input: String? = nil) throws -> Run { try run(arguments, input: input) }

    /// - Parameters:
    ///   - input: what the tool reads from standard input.
    ///   - executable: what is run in its place.
    static func run(_ arguments: [String], of executable: URL? = nil, input: String? = nil) throws -> Run {
        let process = Process()
        process.executableURL = executable ?? BuiltProduct.executable("convert-sdk")
        process.arguments = arguments
        let output = Pipe(), errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        let standardInput = Pipe()
        process.standardInput = standardInput
        try process.run()
        // What is short enough for a pipe's buffer cannot block; a tool that has ended reads nothing.
        try standardInput.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
        try standardInput.fileHandleForWriting.close()
        // What is complained about is short enough for a pipe's buffer, so reading one after the other cannot block.
        let outputData = output.fileHandleForReading.readDataToEndOfFile()
        let errorData = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus, output: String(decoding: outputData, as: UTF8.self),
            errors: String(decoding: errorData, as: UTF8.self))
    }

    /// The tool's exit status with its output and its complaints sent elsewhere.
    static func status(
        _ arguments: String..., standardOutput: FileHandle = .nullDevice, standardError: FileHandle = .nullDevice
    ) throws -> Int32 {
        let process = Process()
        process.executableURL = BuiltProduct.executable("convert-sdk")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()
        process.waitUntilExit()
        // A signal's number is no exit status.
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    /// A file with `contents` that is removed when `body` ends.
    static func withFile<Result>(_ contents: String, _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(contents.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }
}
