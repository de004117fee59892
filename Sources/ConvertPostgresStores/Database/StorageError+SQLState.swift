#if Postgres
import ConvertStoreSupport

extension StorageError {
    /// The error for a code of PostgreSQL's.
    init(sqlState: String, path: String) {
        let code: Code =
            switch sqlState {
            case "25006": .readOnly
            case "42501": .missingRight
            case "53100": .full
            case "53300": .tooManyConnections
            // A lock or a transaction that stood in the way.
            case "55P03", "40001", "40P01", "25P03": .busy
            // The server's own limit for a statement.
            case "57014": .timedOut
            case "58030": .inputOutput
            case "3D000": .cannotOpen
            case "XX001", "XX002": .corrupt
            default:
                switch sqlState.prefix(2) {
                case "08": .unreachable
                // Shutting down, or starting up.
                case "57": .unreachable
                case "28": .refused
                default: .other
                }
            }
        self.init(code, path: path, sqlState: sqlState)
    }

    /// Whether a table, a function or a schema is missing, which another connection may find or make.
    var isAboutTheSchema: Bool { ["42P01", "42883", "3F000", "42703"].contains(sqlState) }

    /// Whether a table or a function of something else is where one of the schema's is to be, while the schema is made.
    var isAboutAnotherSchema: Bool {
        ["42P07", "42710", "42723", "42703", "42804", "42809", "55000"].contains(sqlState)
    }

    /// Whether the database cannot be used by anyone now, as opposed to one statement that failed.
    var isUnavailability: Bool {
        [
            .unreachable, .timedOut, .tooManyConnections, .refused, .cannotOpen, .newerVersion, .foreignDatabase,
        ].contains(code) || isAboutWriting
    }

    /// Whether nothing can be written though something may be read.
    var isAboutWriting: Bool { [.readOnly, .missingRight, .full].contains(code) }
}
#endif
