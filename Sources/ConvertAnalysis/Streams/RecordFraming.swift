/// The format of record ends in a stream.
package enum RecordFraming: Sendable, Equatable {
    /// A line feed.
    case jsonLines
    /// The record end of a CSV file with this dialect.
    case csv(CSVDialect)
}
