package import ConvertECMAScript

/// The records of a part of a stream, without their ends.
package struct Records: Sequence, IteratorProtocol {
    private let bytes: ByteText
    private var scanner: RecordScanner
    /// The offset after the last returned record.
    private(set) var end = 0

    /// Creates the sequence of the records in `bytes`, which begins with a record.
    package init(of bytes: ByteText, _ framing: RecordFraming) {
        self.bytes = bytes
        scanner = RecordScanner(framing)
    }

    /// The next record.
    package mutating func next() -> ByteText? {
        guard end < bytes.count else { return nil }
        let start = end
        var length: Int
        if let end = scanner.endOfRecord(in: bytes, from: start) {
            self.end = end
            length = end - start - 1
        } else {
            end = bytes.count
            length = end - start
        }
        if length > 0, bytes[start + length - 1] == UInt8(ascii: "\r") { length -= 1 }
        return bytes.slice(start..<start + length)
    }
}

extension ByteText {
    /// Whether the text contains only white space.
    package var isBlank: Bool {
        allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
    }
}

extension RecordReader.Part {
    /// Passes each record to `body` without its end; `nil` stands for a record that is longer than
    /// ``PopulationFormat/recordLimit``.
    package func forEach<Failure: Error>(
        _ framing: RecordFraming, _ body: (ByteText?) throws(Failure) -> Void
    ) throws(Failure) {
        switch self {
        case .tooLong: try body(nil)
        case .records(let bytes):
            try bytes.withElements { bytes throws(Failure) in
                for record in Records(of: bytes, framing) {
                    try body(record.count <= PopulationFormat.recordLimit ? record : nil)
                }
            }
        }
    }
}
