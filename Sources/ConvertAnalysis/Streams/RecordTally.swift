/// The numbers of valid and invalid records of a stream. A record is a visitor, or a line of a log.
public struct RecordTally: Sendable, Equatable {
    /// A record that could not be read.
    public struct RecordError: Sendable, Equatable {
        /// The record's number, from 1, including blank records. In CSV the record after the column names is number 1.
        public let record: Int
        /// The problem.
        public let error: PopulationVisitorError
    }

    /// The maximum number of kept errors.
    public static let errorLimit = 10

    /// The number of records read, without blank ones.
    public internal(set) var recordCount = 0

    /// The number of blank records, which are skipped.
    var blankCount = 0

    /// The number of records, including blank ones.
    var readCount: Int { recordCount + blankCount }

    /// The number of visitors with stored decisions that are ignored, because they name an experience or a variation by
    /// key.
    public internal(set) var ignoredStoredCount = 0

    /// The problem with the first ignored decision; `nil` if no decision is ignored.
    public internal(set) var firstIgnoredStored: String?

    /// The number of invalid records. In output with a line for each record, their lines have an `error`.
    public internal(set) var errorCount = 0

    /// The first invalid records, at most ``errorLimit``.
    public internal(set) var firstErrors: [RecordError] = []

    /// Counts the next record, which could not be read.
    mutating func add(_ error: PopulationVisitorError) {
        recordCount += 1
        errorCount += 1
        if firstErrors.count < Self.errorLimit {
            firstErrors.append(RecordError(record: readCount, error: error))
        }
    }

    /// Adds the counts of the part that follows.
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
