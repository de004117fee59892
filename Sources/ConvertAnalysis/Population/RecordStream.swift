internal import ConvertConcurrency

/// The parts of a stream of visitors, and how their records are read.
final class RecordStream: Sendable {
    /// How the records are read.
    let syntax: RecordSyntax

    private struct State {
        var reader: RecordReader
        /// What came with the names of the columns.
        var first: [UInt8]
    }

    private let state: Mutex<State>

    /// A stream of records; in CSV the first record is read at once.
    init(_ format: PopulationFormat, read: @escaping RecordReader.Read) throws {
        var reader = RecordReader(format, read: read)
        var first: [UInt8] = []
        switch format {
        case .jsonLines:
            syntax = .jsonLines
        case .csv:
            guard case .records(let bytes)? = try reader.next() else {
                throw PopulationVisitorError(
                    code: .invalidSyntax, path: "$", message: "expected a first record with the names of the columns.")
            }
            let (columns, end) = try bytes.withUnsafeBytes { bytes in
                var records = Records(of: bytes, .csv, isAtStart: true)
                let columns = try CSVColumns(records.next() ?? UnsafeRawBufferPointer(rebasing: bytes[..<0]))
                return (columns, records.end)
            }
            syntax = .csv(columns)
            first = Array(bytes[end...])
        }
        state = Mutex(State(reader: reader, first: first))
    }

    /// The next part; `nil` at the end.
    func next() throws -> RecordReader.Part? {
        try state.withLock { state in
            guard state.first.isEmpty else {
                defer { state.first = [] }
                return .records(state.first)
            }
            return try state.reader.next()
        }
    }
}
