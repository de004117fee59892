/// What came of a stream of visitors.
public struct AssignmentTally: Sendable, Equatable {
    /// A record that is no visitor.
    public struct RecordError: Sendable, Equatable {
        /// Number of the record, from 1; in CSV the first one is that behind the names of the columns.
        public let record: Int
        /// What is wrong with it.
        public let error: PopulationVisitorError
    }

    /// How many errors are kept.
    public static let errorLimit = 10

    /// Number of records read and lines written.
    public internal(set) var recordCount = 0

    /// Number of records that are no visitors; their lines have an `error`.
    public internal(set) var errorCount = 0

    /// The first of these records, at most ``errorLimit``.
    public internal(set) var firstErrors: [RecordError] = []

    /// Counts the next record, which is no visitor.
    mutating func add(_ error: PopulationVisitorError) {
        recordCount += 1
        errorCount += 1
        if firstErrors.count < Self.errorLimit { firstErrors.append(RecordError(record: recordCount, error: error)) }
    }

    /// Counts what comes behind this.
    mutating func add(_ next: AssignmentTally) {
        let room = Self.errorLimit - firstErrors.count
        firstErrors += next.firstErrors.prefix(room).map {
            RecordError(record: recordCount + $0.record, error: $0.error)
        }
        recordCount += next.recordCount
        errorCount += next.errorCount
    }
}
