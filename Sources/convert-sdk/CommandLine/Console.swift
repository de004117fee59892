import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Standard output and standard error for people and programs.
enum Console {
    /// The printed bytes that are not written yet, or the error of writing.
    private static let buffer = Mutex<Result<Data, FileFailure>>(.success(Data()))
    private static let bufferLength = 1 << 16

    /// Whether standard output is a terminal with colors, and they are not turned off.
    static let hasColors = isTerminal(1) && environment("NO_COLOR") == nil && environment("TERM") != "dumb"

    /// Prints one line to standard output.
    static func print(_ line: ConsoleText = "") { write(line: line.source) }

    /// Prints JSON. Characters that text for people must not contain are escaped as JSON escapes, so the value stays
    /// the same.
    static func print(json: String) { write(line: json.visibleJSON) }

    /// Writes bytes to standard output as they are.
    static func write(_ bytes: Data) { write { $0.append(bytes) } }

    private static func write(line: String) {
        write { data in
            data.append(contentsOf: line.utf8)
            data.append(UInt8(ascii: "\n"))
        }
    }

    private static func write(_ append: (inout Data) -> Void) {
        buffer.withLock { buffer in
            guard case .success(var data) = buffer else { return }
            // The buffer gives up its bytes, so that appending does not copy them.
            buffer = .success(Data())
            append(&data)
            buffer = data.count < bufferLength ? .success(data) : written(data)
        }
    }

    /// Writes the printed bytes.
    /// - Throws: ``UsageError`` if some bytes could not be written.
    static func flush() throws(UsageError) {
        let failure = buffer.withLock { buffer -> FileFailure? in
            if case .success(let data) = buffer { buffer = written(data) }
            if case .failure(let failure) = buffer { return failure }
            return nil
        }
        if let failure { throw UsageError("\(failure)") }
    }

    /// An empty buffer after writing `data`, or the error of writing.
    private static func written(_ data: Data) -> Result<Data, FileFailure> {
        do {
            if !data.isEmpty { try FileHandle.standardOutput.write(contentsOf: data) }
            return .success(Data())
        } catch {
            return .failure(FileFailure(error.systemNumber, at: "standard output", .written))
        }
    }

    /// Prints one line to standard error.
    static func complain(_ message: String) {
        // The variant that does not throw would end the process if the line cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data("convert-sdk: \(message.onOneLine)\n".utf8))
    }

    /// Prints the problems in decisions to standard error, once for each cause.
    static func complain(of effects: [DecisionEffect]) {
        var told: Set<DecisionWarning> = []
        for case .warn(let warning) in effects where told.insert(warning).inserted { complain("warning: \(warning)") }
    }

    /// Complains of a config's problems, a line each.
    static func complain(of diagnostics: [ConfigDiagnostic]) {
        for diagnostic in diagnostics { complain("warning: \(diagnostic)") }
    }

    /// Shows the progress of a command in one line of a terminal, which the next call replaces. Prints nothing to a
    /// pipe.
    static func showProgress(_ text: String) { if isTerminal(2) { writeProgress("\r\u{1b}[K\(text.onOneLine)") } }

    /// Removes the line of progress.
    static func endProgress() { if isTerminal(2) { writeProgress("\r\u{1b}[K") } }

    private static func writeProgress(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Prints to standard error that the config does not contain a key.
    static func complainOfUnknown(_ kind: String, _ key: String, among keys: [String]) {
        complain("\(UnknownName(kind, key, among: keys))")
    }

    /// Prints rows in columns. The first row contains the column heads.
    static func printTable(_ rows: [[String]]) {
        let rows = rows.map { $0.map(\.onOneLine) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        for (index, row) in rows.enumerated() {
            let cells = row.enumerated().map { column, text in
                column == row.count - 1 ? text : text + String(repeating: " ", count: widths[column] - text.count)
            }
            let line = cells.joined(separator: "  ")
            print(index == 0 ? line.styled(.bold) : "\(line)")
        }
    }

    /// Prints a value as indented JSON.
    static func printJSON(_ value: some Encodable) throws { print(json: try IndentedJSON.text(of: value)) }

    /// Whether a file descriptor is a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// An environment variable; `nil` if it is missing or empty.
    private static func environment(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
