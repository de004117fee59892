import ConvertConcurrency
import ConvertSwiftSDKCore
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What people and programs read.
enum Console {
    /// What was printed and is not written yet; `nil` once writing has failed.
    private static let buffer = Mutex<Data?>(Data())
    private static let bufferLength = 1 << 16

    /// Whether standard output is a terminal that shows colours, and nobody asked for none.
    static let hasColors = isTerminal(1) && environment("NO_COLOR") == nil && environment("TERM") != "dumb"

    /// Prints one line to standard output.
    static func print(_ line: String = "") {
        buffer.withLock { buffer in
            buffer?.append(contentsOf: line.utf8)
            buffer?.append(UInt8(ascii: "\n"))
            if let count = buffer?.count, count >= bufferLength { write(&buffer) }
        }
    }

    /// Writes what was printed.
    /// - Throws: ``UsageError`` if something of it could not be written.
    static func flush() throws(UsageError) {
        let isWritten = buffer.withLock { buffer in
            write(&buffer)
            return buffer != nil
        }
        if !isWritten { throw UsageError("the output could not be written; see that there is room for it") }
    }

    private static func write(_ buffer: inout Data?) {
        guard let data = buffer else { return }
        do {
            if !data.isEmpty { try FileHandle.standardOutput.write(contentsOf: data) }
            buffer = Data()
        } catch {
            buffer = nil
        }
    }

    /// Prints one line to standard error.
    static func complain(_ message: String) {
        // The call that does not throw ends the process if the line cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data("convert-sdk: \(message.onOneLine)\n".utf8))
    }

    /// Complains of what went wrong in decisions, once per cause.
    static func complain(of effects: [DecisionEffect]) {
        var told: Set<DecisionWarning> = []
        for case .warn(let warning) in effects where told.insert(warning).inserted { complain("warning: \(warning)") }
    }

    /// Shows how far a command has come, in one line of a terminal that the next one replaces; in a pipe nothing.
    static func showProgress(_ text: String) { if isTerminal(2) { writeProgress("\r\u{1b}[K\(text.onOneLine)") } }

    /// Takes the line away.
    static func endProgress() { if isTerminal(2) { writeProgress("\r\u{1b}[K") } }

    private static func writeProgress(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Complains of a key that the config does not have.
    static func complainOfUnknown(_ kind: String, _ key: String, among keys: [String]) {
        complain("\(UnknownName(kind, key, among: keys))")
    }

    /// Prints rows in columns, the first row as their heads.
    static func printTable(_ rows: [[String]]) {
        let rows = rows.map { $0.map(\.onOneLine) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        for (index, row) in rows.enumerated() {
            let cells = row.enumerated().map { column, text in
                column == row.count - 1 ? text : text + String(repeating: " ", count: widths[column] - text.count)
            }
            let line = cells.joined(separator: "  ")
            print(index == 0 ? line.styled(.bold) : line)
        }
    }

    /// Prints a value as JSON with sorted keys.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Whether a descriptor is a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// A variable of the environment; an empty one counts as none.
    private static func environment(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// How text is to look on a terminal.
enum TextStyle: String {
    case bold = "1"
    case good = "32"
    case bad = "31"
    case doubtful = "33"
}

extension String {
    /// The text in `style` where the output shows colours, as it is elsewhere.
    func styled(_ style: TextStyle) -> String { Console.hasColors ? "\u{1b}[\(style.rawValue)m\(self)\u{1b}[0m" : self }
}
