#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Finds where records end in a stream of bytes that comes in pieces.
struct RecordScanner {
    /// Where a CSV reader is.
    private enum Place {
        case startOfCell, unquoted, quoted, quoteInQuotes
        /// At the first bytes of the stream, which a byte order mark may be.
        case firstByte, secondByte, thirdByte
    }

    private let format: PopulationFormat
    private var place: Place

    /// - Parameter isAtStart: whether what comes first are the first bytes of the stream.
    init(_ format: PopulationFormat, isAtStart: Bool) {
        self.format = format
        place = isAtStart ? .firstByte : .startOfCell
    }

    /// The offset behind the first record that ends in `bytes`, from `start` on; `nil` if none ends there, and then the whole
    /// rest counts as seen.
    mutating func endOfRecord(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count else { return nil }
        switch format {
        case .jsonLines:
            let newline = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            return newline.map { UnsafeRawPointer($0) - base + 1 }
        case .csv:
            for index in start..<bytes.count where isEnd(bytes[index]) { return index + 1 }
            return nil
        }
    }

    /// The offset behind the last record that ends in `bytes`, from `start` on, as ``endOfRecord(in:from:)``.
    mutating func endOfLastRecord(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        switch format {
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

    /// Whether a record of CSV ends with `byte`, which comes next.
    @inline(__always)
    private mutating func isEnd(_ byte: UInt8) -> Bool {
        switch (place, byte) {
        case (.quoted, UInt8(ascii: "\"")): place = .quoteInQuotes
        case (.quoted, _): break
        case (_, UInt8(ascii: "\n")):
            place = .startOfCell
            return true
        case (_, UInt8(ascii: ",")): place = .startOfCell
        case (.firstByte, 0xef): place = .secondByte
        case (.secondByte, 0xbb): place = .thirdByte
        case (.thirdByte, 0xbf): place = .startOfCell
        case (.firstByte, UInt8(ascii: "\"")), (.startOfCell, UInt8(ascii: "\"")), (.quoteInQuotes, UInt8(ascii: "\"")):
            place = .quoted
        default: place = .unquoted
        }
        return false
    }
}
