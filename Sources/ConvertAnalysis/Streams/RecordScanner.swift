import ConvertECMAScript

/// Finds the ends of records in a stream of bytes that arrives in pieces.
struct RecordScanner {
    /// The state of reading CSV.
    private enum Place {
        case startOfCell, unquoted, quoted, quoteInQuotes
    }

    private let framing: RecordFraming
    /// The dialect of a CSV file.
    private let dialect: CSVDialect
    private var place = Place.startOfCell

    init(_ framing: RecordFraming) {
        self.framing = framing
        dialect = if case .csv(let dialect) = framing { dialect } else { CSVDialect() }
    }

    /// The offset after the first record that ends in `bytes` at or after `start`; `nil` if no record ends there. Then
    /// the whole rest counts as seen.
    mutating func endOfRecord(in bytes: ByteText, from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        switch framing {
        case .jsonLines:
            return bytes.place(of: UInt8(ascii: "\n"), from: start).map { $0 + 1 }
        case .csv:
            for index in start..<bytes.count where isEnd(bytes[index]) { return index + 1 }
            return nil
        }
    }

    /// The offset after the last record that ends in `bytes` at or after `start`; `nil` if no record ends there.
    mutating func endOfLastRecord(in bytes: ByteText, from start: Int) -> Int? {
        switch framing {
        case .jsonLines:
            var index = bytes.count
            while index > start {
                index -= 1
                if bytes[index] == UInt8(ascii: "\n") { return index + 1 }
            }
            return nil
        case .csv:
            var last: Int?
            for index in start..<bytes.count where isEnd(bytes[index]) { last = index + 1 }
            return last
        }
    }

    /// Whether a CSV record ends with `byte`, the next one.
    @inline(__always)
    private mutating func isEnd(_ byte: UInt8) -> Bool {
        switch (place, byte) {
        case (.quoted, UInt8(ascii: "\"")): place = .quoteInQuotes
        case (.quoted, _): break
        case (_, dialect.recordEnd):
            place = .startOfCell
            return true
        case (_, dialect.separator): place = .startOfCell
        case (.startOfCell, UInt8(ascii: "\"")), (.quoteInQuotes, UInt8(ascii: "\"")): place = .quoted
        default: place = .unquoted
        }
        return false
    }
}
