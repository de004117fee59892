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
        fileprivate let problem: String
        fileprivate let remedy: String

        /// The file or its folder cannot be created or opened.
        public static let cannotOpen = Code(
            "cannotOpen", "The database cannot be opened",
            "give a path in a folder that this process can write to, or the name of a database on the server")
        /// The process has no permission to write to the file or its folder, or the database server accepts no writes.
        public static let readOnly = Code(
            "readOnly", "The database cannot be written to",
            "let this process write to the file and its folder, or connect to a server that accepts writes")
        /// The disk is full, or too many records wait in memory.
        public static let full = Code("full", "There is no room left for the database", "make room on the disk")
        /// Another connection kept the database locked for longer than this connection waits, or no connection was
        /// free.
        public static let busy = Code(
            "busy", "The database is locked",
            "look for a process that holds a transaction open, or allow a longer wait")
        /// Another ledger, in this process or another, owns the file.
        public static let inUse = Code(
            "inUse", "Another ledger owns the database",
            "give each process a ledger file of its own, or wait until the other one is closed")
        /// The file has several hard links. Databases used under several names corrupt each other.
        public static let hardLinked = Code(
            "hardLinked", "The database's file has several hard links",
            "keep one name; symbolic links to it are fine")
        /// The file, or its log, was deleted or replaced while it was in use. The call may have changed nothing.
        public static let replaced = Code(
            "replaced", "The database, or its log, was deleted or replaced while it was in use",
            "leave the file, …-wal and …-shm alone while a process uses them")
        /// The file is not an intact database, and could not be renamed.
        public static let corrupt = Code(
            "corrupt", "The database is corrupt and could not be set aside",
            "move the file, …-wal and …-shm away")
        /// A later version of this package wrote the file or the schema. It was not changed.
        public static let newerVersion = Code(
            "newerVersion", "The database was written by a later version",
            "use the version of this package that wrote it, or another file or schema")
        /// The file, or the schema of a database server, belongs to another program. It was not changed.
        public static let foreignDatabase = Code(
            "foreignDatabase", "The database belongs to another program",
            "give the store a file, or a schema, of its own")
        /// Reading or writing failed in the operating system.
        public static let inputOutput = Code(
            "inputOutput", "Reading or writing the database failed",
            "check the disk; network file systems are not supported")
        /// The database server cannot be reached, or ended the connection.
        public static let unreachable = Code(
            "unreachable", "The database server cannot be reached",
            "check host, port and network, and whether the server runs")
        /// The database server did not answer in time.
        public static let timedOut = Code(
            "timedOut", "The database server did not answer in time",
            "look for what keeps the server busy or holds locks")
        /// The database server has no connection left.
        public static let tooManyConnections = Code(
            "tooManyConnections", "The database server has no connection left",
            "raise the server's max_connections, or lower the number that each process opens")
        /// The database server refuses the user.
        public static let refused = Code(
            "refused", "The database server refuses the user",
            "check user and password, and the server's pg_hba.conf")
        /// The user lacks a right, named by ``StorageError/missingGrant``.
        public static let missingRight = Code(
            "missingRight", "The user lacks a right in the database",
            "grant the right")
        /// Any other error.
        public static let other = Code(
            "other", "The database does not work",
            "look the number up in SQLite's list of result codes, or in PostgreSQL's")

        private init(_ description: String, _ problem: String, _ remedy: String) {
            (self.description, self.problem, self.remedy) = (description, problem, remedy)
        }
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
        let remedy = missingGrant.map { "run, as the owner: \($0)" } ?? code.remedy
        return "\(code.problem) (\(path))\(number): \(remedy)"
    }
}
