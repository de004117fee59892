/// The syntax of a stream's records.
enum RecordSyntax: Sendable {
    case jsonLines
    case csv(CSVColumns, CSVDialect)

    /// The format of the record ends.
    var framing: RecordFraming {
        switch self {
        case .jsonLines: .jsonLines
        case .csv(_, let dialect): .csv(dialect)
        }
    }
}
