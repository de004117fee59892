/// How the records of a stream are read.
enum RecordSyntax: Sendable {
    case jsonLines
    case csv(CSVColumns)

    /// How the stream holds them.
    var format: PopulationFormat {
        switch self {
        case .jsonLines: .jsonLines
        case .csv: .csv
        }
    }
}
