/// How the records of a stream are read.
enum RecordSyntax: Sendable {
    case jsonLines
    case csv(CSVColumns, CSVDialect)

    /// How they end.
    var framing: RecordFraming {
        switch self {
        case .jsonLines: .jsonLines
        case .csv(_, let dialect): .csv(dialect)
        }
    }
}
