/// How the records of a stream end.
enum RecordFraming: Sendable, Equatable {
    /// With a line feed.
    case jsonLines
    /// As a CSV file of this dialect has it.
    case csv(CSVDialect)
}
