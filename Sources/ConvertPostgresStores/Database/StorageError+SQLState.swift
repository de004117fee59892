#if Postgres
extension StorageError {
    /// Creates the error for an SQLSTATE.
    init(sqlState: String, path: String) {
        let code: Code =
            switch sqlState {
            case "25006": .readOnly
            case "42501": .missingRight
            case "53100": .full
            case "53300": .tooManyConnections
            // Conflicts with a lock or a concurrent transaction.
            case "55P03", "40001", "40P01", "25P03": .busy
            // The server canceled the statement at its own time limit.
            case "57014": .timedOut
            case "58030": .inputOutput
            case "3D000": .cannotOpen
            case "XX001", "XX002": .corrupt
            default:
                switch sqlState.prefix(2) {
                case "08": .unreachable
                // The server is shutting down or starting up.
                case "57": .unreachable
                case "28": .refused
                default: .other
                }
            }
        self.init(code, path: path, sqlState: sqlState)
    }

    /// Whether a table, a function or a schema is missing. Another connection may find or create it.
    var isAboutTheSchema: Bool { ["42P01", "42883", "3F000", "42703"].contains(sqlState) }

    /// Whether another application's table or function occupies a name of the schema. Valid only while creating the
    /// schema.
    var isAboutAnotherSchema: Bool {
        ["42P07", "42710", "42723", "42703", "42804", "42809", "55000"].contains(sqlState)
    }

    /// Whether the database cannot be used at all now, in contrast to one failed statement.
    var isUnavailability: Bool {
        [
            .unreachable, .timedOut, .tooManyConnections, .refused, .cannotOpen, .newerVersion, .foreignDatabase,
        ].contains(code) || isAboutWriting
    }

    /// Whether writing is impossible although reading may work.
    var isAboutWriting: Bool { [.readOnly, .missingRight, .full].contains(code) }
}
#endif
