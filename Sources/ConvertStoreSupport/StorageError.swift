import ConvertConcurrency
public import Foundation

/// An error of a store.
///
/// It names the file or database, and a remedy. It contains no stored data and no credentials, so it can be logged as
/// is.
public struct StorageError: Error, Sendable, Equatable {
    /// The kind of an error. More codes may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The file or its folder cannot be created or opened.
        public static let cannotOpen = Code(description: "cannotOpen")
        /// The process has no permission to write to the file or its folder, or the database server accepts no writes.
        public static let readOnly = Code(description: "readOnly")
        /// The disk is full, or too many records wait in memory.
        public static let full = Code(description: "full")
        /// Another connection kept the database locked for longer than this connection waits, or no connection was
        /// free.
        public static let busy = Code(description: "busy")
        /// Another ledger, in this process or another, owns the file.
        public static let inUse = Code(description: "inUse")
        /// The file has several hard links. Databases used under several names corrupt each other.
        public static let hardLinked = Code(description: "hardLinked")
        /// The file, or its log, was deleted or replaced while it was in use. The call may have changed nothing.
        public static let replaced = Code(description: "replaced")
        /// The file is not an intact database, and could not be renamed.
        public static let corrupt = Code(description: "corrupt")
        /// A later version of this package wrote the file or the schema. It was not changed.
        public static let newerVersion = Code(description: "newerVersion")
        /// The file, or the schema of a database server, belongs to another program. It was not changed.
        public static let foreignDatabase = Code(description: "foreignDatabase")
        /// Reading or writing failed in the operating system.
        public static let inputOutput = Code(description: "inputOutput")
        /// The database server cannot be reached, or ended the connection.
        public static let unreachable = Code(description: "unreachable")
        /// The database server did not answer in time.
        public static let timedOut = Code(description: "timedOut")
        /// The database server has no connection left.
        public static let tooManyConnections = Code(description: "tooManyConnections")
        /// The database server refuses the user.
        public static let refused = Code(description: "refused")
        /// The user lacks a right, named by ``StorageError/missingGrant``.
        public static let missingRight = Code(description: "missingRight")
        /// Any other error.
        public static let other = Code(description: "other")

        private init(description: String) { self.description = description }
    }

    /// The kind of the error.
    public let code: Code

    /// The database file, or the host, port and database of a database server.
    public let path: String

    /// SQLite's extended result code, or the operating system's error number. For support, not for decisions.
    public let underlyingCode: Int32?

    /// The database server's error code (SQLSTATE). For support, not for decisions.
    public let sqlState: String?

    /// The statement that grants the missing right; `nil` if no right is missing or it is unknown.
    public let missingGrant: String?

    package init(
        _ code: Code, path: String, underlyingCode: Int32? = nil, sqlState: String? = nil, missingGrant: String? = nil
    ) {
        self.code = code
        self.path = path
        self.underlyingCode = underlyingCode
        self.sqlState = sqlState
        self.missingGrant = missingGrant
    }
}

extension StorageError: LoggableError {}

extension StorageError: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension StorageError: CustomStringConvertible {
    /// One sentence for people: the problem, the place, and the remedy.
    public var description: String {
        let number = (underlyingCode.map { "\($0)" } ?? sqlState).map { " [\($0)]" } ?? ""
        return "\(problem) (\(path))\(number): \(remedy)"
    }

    private var problem: String {
        switch code {
        case .cannotOpen: "The database cannot be opened"
        case .readOnly: "The database cannot be written to"
        case .full: "There is no room left for the database"
        case .busy: "The database is locked"
        case .inUse: "Another ledger owns the database"
        case .hardLinked: "The database's file has several hard links"
        case .replaced: "The database, or its log, was deleted or replaced while it was in use"
        case .corrupt: "The database is corrupt and could not be set aside"
        case .newerVersion: "The database was written by a later version"
        case .foreignDatabase: "The database belongs to another program"
        case .inputOutput: "Reading or writing the database failed"
        case .unreachable: "The database server cannot be reached"
        case .timedOut: "The database server did not answer in time"
        case .tooManyConnections: "The database server has no connection left"
        case .refused: "The database server refuses the user"
        case .missingRight: "The user lacks a right in the database"
        default: "The database does not work"
        }
    }

    private var remedy: String {
        switch code {
        case .cannotOpen:
            "give a path in a folder that this process can write to, or the name of a database on the server"
        case .readOnly: "let this process write to the file and its folder, or connect to a server that accepts writes"
        case .full: "make room on the disk"
        case .busy: "look for a process that holds a transaction open, or allow a longer wait"
        case .inUse: "give each process a ledger file of its own, or wait until the other one is closed"
        case .hardLinked: "keep one name; symbolic links to it are fine"
        case .replaced: "leave the file, …-wal and …-shm alone while a process uses them"
        case .corrupt: "move the file, …-wal and …-shm away"
        case .newerVersion: "use the version of this package that wrote it, or another file or schema"
        case .foreignDatabase: "give the store a file, or a schema, of its own"
        case .inputOutput: "check the disk; network file systems are not supported"
        case .unreachable: "check host, port and network, and whether the server runs"
        case .timedOut: "look for what keeps the server busy or holds locks"
        case .tooManyConnections: "raise the server's max_connections, or lower the number that each process opens"
        case .refused: "check user and password, and the server's pg_hba.conf"
        case .missingRight: missingGrant.map { "run, as the owner: \($0)" } ?? "grant the right"
        default: "look the number up in SQLite's list of result codes, or in PostgreSQL's"
        }
    }
}
