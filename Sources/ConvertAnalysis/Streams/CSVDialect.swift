import ConvertECMAScript

/// What stands between the cells and behind the records of a CSV file.
package struct CSVDialect: Sendable, Equatable {
    /// Behind the cells but the last.
    var separator = UInt8(ascii: ",")
    /// The last byte of a record's end: a line feed, or a carriage return in files that have no line feeds.
    var recordEnd = UInt8(ascii: "\n")

    /// The separators that are understood; of several that fit, the first one is taken.
    private static let separators = [",", ";", "\t"].map { (scalar: Unicode.Scalar) in UInt8(ascii: scalar) }

    /// Finds the dialect of a file by its first record.
    ///
    /// - Parameters:
    ///   - bytes: the beginning of the file.
    ///   - isWhole: whether there is nothing behind them.
    /// - Returns: the dialect, where the first record lies without its end, and where the second one begins; `nil` if
    ///   more bytes are needed.
    static func detect(
        in bytes: ByteText, isWhole: Bool
    ) -> (dialect: CSVDialect, header: ByteText, end: Int)? {
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        var isQuoted = false
        var counts: [UInt8: Int] = [:]
        var dialect = CSVDialect()
        var (headerEnd, end) = (bytes.count, bytes.count)
        search: for index in start..<max(start, bytes.count) {
            switch bytes[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case let byte where !isQuoted && separators.contains(byte): counts[byte, default: 0] += 1
            case UInt8(ascii: "\n") where !isQuoted:
                (headerEnd, end) = (index, index + 1)
                break search
            case UInt8(ascii: "\r") where !isQuoted:
                if index + 1 == bytes.count, !isWhole { return nil }
                let isFollowed = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
                if !isFollowed { dialect.recordEnd = UInt8(ascii: "\r") }
                (headerEnd, end) = (index, index + (isFollowed ? 2 : 1))
                break search
            default: break
            }
        }
        if headerEnd == bytes.count, !isWhole { return nil }
        let header = bytes.slice(start..<headerEnd)
        dialect.separator = separator(of: header, counts)
        return (dialect, header, end)
    }

    /// The separator with which `header` names the visitor's id, or else the most frequent one.
    private static func separator(of header: ByteText, _ counts: [UInt8: Int]) -> UInt8 {
        let naming = separators.first { separator in
            let cells = try? CSVRecord(header, separatedBy: separator).cells
            return cells?.contains { $0.text == PopulationVisitor.Member.visitorID.name } ?? false
        }
        // Of several that are equally frequent the first one.
        return naming ?? separators.reversed().max { counts[$0, default: 0] < counts[$1, default: 0] } ?? 0x2c
    }
}
