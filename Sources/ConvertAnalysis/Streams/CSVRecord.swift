internal import ConvertECMAScript

/// The cells of a CSV record.
struct CSVRecord {
    /// One cell.
    struct Cell: Equatable {
        var text: String
        /// Whether the cell is quoted. An empty cell in quotes is an empty text; an empty cell without quotes has no
        /// value.
        var isQuoted: Bool
    }

    private(set) var cells: [Cell] = []

    /// Reads a record, whose bytes are passed without the line end.
    init(
        _ bytes: ByteText, separatedBy separator: UInt8 = UInt8(ascii: ",")
    ) throws(PopulationVisitorError) {
        var index = 0
        while true {
            cells.append(try Self.cell(in: bytes, from: &index, separator, number: cells.count + 1))
            if index == bytes.count { return }
            index += 1
        }
    }

    /// Returns the cell that begins at `index`, and moves `index` to the following separator or to the end.
    private static func cell(
        in bytes: ByteText, from index: inout Int, _ separator: UInt8, number: Int
    ) throws(PopulationVisitorError) -> Cell {
        let quote = UInt8(ascii: "\"")
        guard index < bytes.count, bytes[index] == quote else {
            let start = index
            while index < bytes.count, bytes[index] != separator {
                switch bytes[index] {
                case quote: throw syntaxError(number, "a quote in a cell that does not begin with one")
                case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                    throw syntaxError(number, "a line break outside quotes")
                default: index += 1
                }
            }
            return Cell(text: try text(bytes[start..<index], number), isQuoted: false)
        }
        var contents: [UInt8] = []
        index += 1
        while true {
            guard index < bytes.count else { throw syntaxError(number, "a quote that is not closed") }
            let byte = bytes[index]
            index += 1
            if byte == quote {
                guard index < bytes.count, bytes[index] == quote else { break }
                index += 1
            }
            contents.append(byte)
        }
        guard index == bytes.count || bytes[index] == separator else {
            throw syntaxError(number, "text after the quote that closes the cell")
        }
        return Cell(text: try text(contents, number), isQuoted: true)
    }

    private static func text(
        _ bytes: some Collection<UInt8>, _ number: Int
    ) throws(PopulationVisitorError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw syntaxError(number, "bytes that are not UTF-8")
        }
        return text
    }

    private static func syntaxError(_ number: Int, _ problem: String) -> PopulationVisitorError {
        PopulationVisitorError(
            code: .invalidSyntax, path: "$", message: "not valid CSV: cell \(number) has \(problem).")
    }
}
