import ConvertECMAScript

/// The separators of a CSV file's cells and records.
package struct CSVDialect: Sendable, Equatable {
    /// The byte between two cells.
    var separator = UInt8(ascii: ",")
    /// The last byte of a record's end: a line feed, or a carriage return in files that have no line feeds.
    var recordEnd = UInt8(ascii: "\n")

    /// The supported separators; if several fit, the first one is used.
    private static let separators = [",", ";", "\t"].map { (scalar: Unicode.Scalar) in UInt8(ascii: scalar) }

    /// Detects the dialect of a file from its first record.
    ///
    /// - Parameters:
    ///   - bytes: the beginning of the file.
    ///   - isWhole: whether `bytes` are the whole file.
    /// - Returns: the dialect, the first record without its line end, and the index of the second record; `nil` if more
    ///   bytes are needed.
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

    /// The separator with which `header` contains the name `visitorId`, or else the most frequent one.
    private static func separator(of header: ByteText, _ counts: [UInt8: Int]) -> UInt8 {
        let naming = separators.first { separator in
            let cells = try? CSVRecord(header, separatedBy: separator).cells
            return cells?.contains { $0.text == PopulationVisitor.Member.visitorID.name } ?? false
        }
        // If several are equally frequent, the first one wins.
        return naming ?? separators.reversed().max { counts[$0, default: 0] < counts[$1, default: 0] } ?? 0x2c
    }
}
