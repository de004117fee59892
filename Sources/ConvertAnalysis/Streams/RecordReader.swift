import ConvertECMAScript

/// Cuts a stream of bytes into parts of whole records, in memory that does not grow with the stream.
@safe
package struct RecordReader {
    /// What comes next in the stream.
    package enum Part: Sendable {
        /// Whole records, the last of which may lack its end.
        case records([UInt8])
        /// One record that is longer than ``PopulationFormat/recordLimit``, which was passed over.
        case tooLong
    }

    /// Fills the buffer with up to as many bytes as it has, and returns how many; 0 at the end, `nil` if no more are
    /// wanted.
    package typealias Read = @Sendable (UnsafeMutableRawBufferPointer) throws -> Int?

    private static let readLength = 1 << 18

    private let read: Read
    private var scanner: RecordScanner
    /// What was read before this reader came to it.
    private var first: [UInt8]
    /// Bytes that were read and not handed on yet.
    private var beginning: [UInt8] = []
    /// How many of them the scanner has seen, in which no record ends.
    private var scannedCount = 0
    private var isPassingOver = false
    private var isAtEnd = false

    /// A reader of what `first` holds, then of what `read` gives.
    package init(_ framing: RecordFraming, behind first: [UInt8] = [], read: @escaping Read) {
        unsafe self.read = unsafe read
        self.first = first
        scanner = RecordScanner(framing)
    }

    /// The next part; `nil` at the end, and when no more are wanted.
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

    /// What was kept and the next bytes of the stream behind it; `nil` if no more are wanted.
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

    /// `kept` and the next bytes of a stream behind it; `nil` if no more are wanted.
    static func read(behind kept: [UInt8], _ read: Read) throws -> [UInt8]? {
        var isWanted = true
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
