internal import ConvertConcurrency
internal import ConvertECMAScript

/// A stream of visitors in parts, with the syntax of their records.
final class RecordStream: Sendable {
    /// The syntax of the records.
    let syntax: RecordSyntax

    private let reader: Mutex<RecordReader>

    /// Creates a stream of records, and reads its first line (in CSV, its first record) at once.
    ///
    /// - Throws: ``PopulationVisitorError`` if the stream has another format, or the columns of a CSV file are not
    ///   valid.
    init(_ format: PopulationFormat, read: @escaping RecordReader.Read) throws {
        switch format {
        case .jsonLines:
            // Safe: `read` is only passed to `RecordReader`, which owns the buffers.
            let start = try unsafe StreamStart(read) { bytes, _ in bytes.contains(UInt8(ascii: "\n")) ? () : nil }
            if start.isVisitorsCSV { throw PopulationVisitorError.isCSV }
            syntax = .jsonLines
            reader = unsafe Mutex(RecordReader(.jsonLines, behind: start.bytes, read: read))
        case .csv:
            var header: (dialect: CSVDialect, columns: CSVColumns, end: Int)?
            let start = try unsafe StreamStart(read) { bytes, isWhole in
                guard !bytes.isEmpty, let found = CSVDialect.detect(in: bytes, isWhole: isWhole) else { return nil }
                header = (
                    found.dialect, try CSVColumns(found.header, separatedBy: found.dialect.separator), found.end
                )
                return ()
            }
            guard let header else {
                throw PopulationVisitorError(
                    code: .invalidSyntax, path: "$", message: "expected a first record with the names of the columns.")
            }
            syntax = .csv(header.columns, header.dialect)
            let rest = Array(start.bytes[header.end...])
            reader = unsafe Mutex(RecordReader(.csv(header.dialect), behind: rest, read: read))
        }
    }

    /// The next part; `nil` at the end.
    func next() throws -> RecordReader.Part? { try reader.withLock { try $0.next() } }

    /// Adds up the results for the parts, as ``StreamFold`` does.
    func fold<Output: Sendable, Sum: Sendable>(
        into sum: Sum, threads: Int, by makeWorker: @escaping StreamFold<RecordReader.Part, Output, Sum>.MakeWorker,
        adding add: @escaping StreamFold<RecordReader.Part, Output, Sum>.Add
    ) throws -> Sum {
        try StreamFold(into: sum, from: { try self.next() }, by: makeWorker, adding: add).run(threads: threads)
    }
}

/// The first bytes of a stream.
private struct StreamStart {
    private(set) var bytes: [UInt8] = []

    /// Reads until `isEnough` returns a value, but at most the length limit of a record. `isEnough` receives the bytes
    /// so far, and whether the stream ended.
    ///
    /// - Throws: ``PopulationVisitorError`` if the stream is not UTF-8 text; the errors of `read` and `isEnough`.
    init(_ read: RecordReader.Read, until isEnough: (ByteText, Bool) throws -> Void?) throws {
        while bytes.count <= PopulationFormat.recordLimit {
            guard let more = try unsafe RecordReader.read(behind: bytes, read) else { return }
            let isWhole = more.count == bytes.count
            bytes = more
            let format = bytes.withElements { ForeignFormat(of: $0) }
            if let format {
                throw PopulationVisitorError(code: .invalidSyntax, path: "$", message: "the input is \(format).")
            }
            if try bytes.withElements({ try isEnough($0, isWhole) }) != nil || isWhole { return }
        }
    }

    /// Whether the first line contains a column `visitorId`.
    var isVisitorsCSV: Bool {
        bytes.withElements { bytes in
            guard let (dialect, header, _) = CSVDialect.detect(in: bytes, isWhole: true) else { return false }
            return (try? CSVColumns(header, separatedBy: dialect.separator)) != nil
        }
    }
}

extension PopulationVisitorError {
    fileprivate static var isCSV: PopulationVisitorError {
        PopulationVisitorError(
            code: .invalidSyntax, path: "$", message: "the input is CSV, not JSON lines; choose the format 'csv'.")
    }
}
