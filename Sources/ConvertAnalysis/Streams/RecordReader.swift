import ConvertECMAScript

/// Divides a stream of bytes into parts of whole records. The memory used does not grow with the stream.
@safe
package struct RecordReader {
    /// The next part of a stream.
    package enum Part: Sendable {
        /// Whole records; the last one may lack its end.
        case records([UInt8])
        /// A skipped record that is longer than ``PopulationFormat/recordLimit``.
        case tooLong
    }

    /// Writes to the buffer, within its length and only during the call, and returns the number of bytes; 0 at the end,
    /// `nil` to stop reading.
    package typealias Read = @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?

    private static let readLength = 1 << 18

    private let read: Read
    private var scanner: RecordScanner
    /// The bytes that were read from the stream before the reader was created.
    private var first: [UInt8]
    /// Bytes that are read, but not returned yet.
    private var beginning: [UInt8] = []
    /// The number of these bytes that the scanner has seen. No record ends in them.
    private var scannedCount = 0
    private var isPassingOver = false
    private var isAtEnd = false

    /// Creates a reader for `first`, followed by the bytes from `read`.
    package init(_ framing: RecordFraming, behind first: [UInt8] = [], read: @escaping Read) {
        unsafe self.read = unsafe read
        self.first = first
        scanner = RecordScanner(framing)
    }

    /// The next part; `nil` at the end, and when reading stops.
    package mutating func next() throws -> Part? {
        while !isAtEnd {
            let known = beginning.count
            guard var bytes = try readOn() else { break }
            isAtEnd = bytes.count == known
            if isPassingOver {
                guard let end = bytes.withElements({ scanner.endOfRecord(in: $0, from: known) }) else {
                    if isAtEnd { return .tooLong }
                    continue
                }
                isPassingOver = false
                keep(bytes[end...], scanned: 0)
                return .tooLong
            }
            if isAtEnd { return bytes.isEmpty ? nil : .records(bytes) }
            let end = bytes.withElements { scanner.endOfLastRecord(in: $0, from: scannedCount) }
            if let end {
                keep(bytes[end...], scanned: bytes.count - end)
                bytes.removeLast(bytes.count - end)
                return .records(bytes)
            }
            if bytes.count > PopulationFormat.recordLimit {
                isPassingOver = true
            } else {
                keep(bytes[...], scanned: bytes.count)
            }
        }
        return nil
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>, scanned: Int) {
        beginning = Array(bytes)
        scannedCount = scanned
    }

    /// The kept bytes followed by the next bytes of the stream; `nil` when reading stops.
    private mutating func readOn() throws -> [UInt8]? {
        if !first.isEmpty {
            defer { first = [] }
            return first
        }
        let bytes = try unsafe Self.read(behind: beginning, read)
        beginning = []
        if bytes == nil { isAtEnd = true }
        return bytes
    }

    /// `kept` followed by the next bytes of a stream; `nil` when reading stops.
    static func read(behind kept: [UInt8], _ read: Read) throws -> [UInt8]? {
        var isWanted = true
        // Safe: the capacity includes `kept`, and `read` initializes as many bytes of the rest as it returns.
        let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: kept.count + readLength) { buffer, count in
            _ = unsafe buffer.initialize(from: kept)
            let room = unsafe UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[kept.count...]))
            let length = try unsafe read(room)
            isWanted = length != nil
            count = kept.count + (length ?? 0)
        }
        return isWanted ? bytes : nil
    }
}
