/// How the records of a stream end.
package enum RecordFraming: Sendable, Equatable {
    /// With a line feed.
    case jsonLines
    /// As a CSV file of this dialect has it.
    case csv(CSVDialect)
}
