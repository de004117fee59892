/// What came of the records of a stream: visitors, or lines of a log.
public struct RecordTally: Sendable, Equatable {
    /// A record that could not be read.
    public struct RecordError: Sendable, Equatable {
        /// Number of the record, from 1, with blank ones; in CSV the first one is that behind the names of the columns.
        public let record: Int
        /// What is wrong with it.
        public let error: PopulationVisitorError
    }

    /// How many errors are kept.
    public static let errorLimit = 10

    /// Number of records read and lines written.
    public internal(set) var recordCount = 0

    /// Number of blank records, which are passed over.
    var blankCount = 0

    /// Number of records, with blank ones.
    var readCount: Int { recordCount + blankCount }

    /// Number of visitors with stored decisions that are ignored, because they name an experience or a variation by
    /// key.
    public internal(set) var ignoredStoredCount = 0

    /// What is wrong with the first of them.
    public internal(set) var firstIgnoredStored: String?

    /// Number of records that could not be read; where a line is written for each record, theirs has an `error`.
    public internal(set) var errorCount = 0

    /// The first of these records, at most ``errorLimit``.
    public internal(set) var firstErrors: [RecordError] = []

    /// Counts the next record, which could not be read.
    mutating func add(_ error: PopulationVisitorError) {
        recordCount += 1
        errorCount += 1
        if firstErrors.count < Self.errorLimit {
            firstErrors.append(RecordError(record: readCount, error: error))
        }
    }

    /// Counts what comes behind this.
    mutating func add(_ next: RecordTally) {
        let room = Self.errorLimit - firstErrors.count
        firstErrors += next.firstErrors.prefix(room).map {
            RecordError(record: readCount + $0.record, error: $0.error)
        }
        blankCount += next.blankCount
        ignoredStoredCount += next.ignoredStoredCount
        firstIgnoredStored = firstIgnoredStored ?? next.firstIgnoredStored
        recordCount += next.recordCount
        errorCount += next.errorCount
    }
}
