/// What came of a stream of visitors.
public struct AssignmentTally: Sendable, Equatable {
    /// A record that is no visitor.
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

    /// Number of records that are no visitors; their lines have an `error`.
    public internal(set) var errorCount = 0

    /// The first of these records, at most ``errorLimit``.
    public internal(set) var firstErrors: [RecordError] = []

    /// Counts the next record, which is no visitor.
    mutating func add(_ error: PopulationVisitorError) {
        recordCount += 1
        errorCount += 1
        if firstErrors.count < Self.errorLimit {
            firstErrors.append(RecordError(record: readCount, error: error))
        }
    }

    /// Counts a record of a stream: the next visitor, who is passed to `body`, or none.
    mutating func add(_ record: VisitorReader.Record, _ names: StoredNames, _ body: (PopulationVisitor) -> Void) {
        switch record {
        case .blank: blankCount += 1
        case .failure(let error): add(error)
        case .visitor(let visitor):
            recordCount += 1
            if let warning = names.warnings(ofKeysIn: visitor.stored).first {
                ignoredStoredCount += 1
                firstIgnoredStored = firstIgnoredStored ?? warning
            }
            body(visitor)
        }
    }

    /// Counts what comes behind this.
    mutating func add(_ next: AssignmentTally) {
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
