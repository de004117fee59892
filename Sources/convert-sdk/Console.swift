import ConvertParityVectors
import Foundation

/// What people read.
enum Console {
    /// Prints one line to standard error.
    static func complain(_ message: String) {
        // The call that does not throw ends the process if the line cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data("convert-sdk: \(message.onOneLine)\n".utf8))
    }

    /// Prints rows in columns, the first row as their heads.
    static func printTable(_ rows: [[String]]) {
        let rows = rows.map { $0.map(\.onOneLine) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { column, text in
                column == row.count - 1 ? text : text + String(repeating: " ", count: widths[column] - text.count)
            }
            print(cells.joined(separator: "  "))
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
}
