import Foundation

/// What a ledger's database consists of.
enum LedgerSchema {
    /// "CvLd" in ASCII.
    private static let applicationID: Int64 = 0x4376_4C64
    private static let version: Int64 = 1

    // Keys are bytes, because SQLite's text ends at the first NUL. Tables by row number take half the time of WITHOUT
    // ROWID. The day's index gives the order in which visitors are removed; it changes only with the first save on a
    // day.
    private static let tables = """
        CREATE TABLE visitors (
            number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, record BLOB NOT NULL, saved INTEGER NOT NULL
        );
        CREATE INDEX visitors_by_day ON visitors (saved);
        CREATE TABLE events (id INTEGER PRIMARY KEY, visitor BLOB NOT NULL, payload BLOB NOT NULL);
        CREATE TABLE meta (owner INTEGER NOT NULL, imported INTEGER NOT NULL, forgot INTEGER NOT NULL);
        INSERT INTO meta VALUES (0, 0, 0);
        """

    /// Fails if one of the tables is missing, or one of their columns.
    static let uses = """
        SELECT number, key, record, saved FROM visitors LIMIT 0;
        SELECT id, visitor, payload FROM events LIMIT 0;
        SELECT owner, imported, forgot FROM meta LIMIT 0;
        """

    /// The highest owner's number. There is a higher one.
    /// - Throws: `StorageError` with `corrupt` if that cannot be.
    static func highestOwner(in connection: Connection) throws -> Int64 {
        let owner = try connection.integer("SELECT owner FROM meta")
        guard (0..<(1 << 31) - 1).contains(owner) else { throw StorageError(.corrupt, path: connection.name) }
        return owner
    }

    /// Makes the tables if they are not there.
    /// - Parameters:
    ///   - owner: no later owner's number is to be lower.
    ///   - files: files of version 0.1.0 to read into it, unless that was done before; `nil` if there are none.
    ///   - today: the number of today.
    /// - Returns: the highest owner's number.
    /// - Throws: `StorageError` with `newerVersion` or `foreignDatabase` if the file is to be left alone.
    static func apply(
        to connection: Connection, owner: Int64, importing files: EarlierFiles?, today: Int64
    ) throws -> Int64 {
        let mark = try connection.integer("PRAGMA application_id")
        let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_master") == 0
        guard mark == applicationID || mark == 0 && isEmpty else {
            throw StorageError(.foreignDatabase, path: connection.name)
        }
        guard try connection.integer("PRAGMA user_version") <= version else {
            throw StorageError(.newerVersion, path: connection.name)
        }
        // It can be set only before the first table is made.
        if isEmpty { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        _ = try connection.statement("PRAGMA journal_mode = WAL").first { _ in }
        return try connection.transaction {
            if isEmpty {
                try connection.execute(tables)
                try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            }
            try connection.statement("UPDATE meta SET owner = max(owner, ?)").run(.integer(owner))
            guard connection.changeCount == 1 else { throw StorageError(.corrupt, path: connection.name) }
            let highest = try highestOwner(in: connection)
            guard let files, try connection.integer("SELECT imported FROM meta") == 0 else { return highest }
            try connection.execute("UPDATE meta SET imported = 1")
            if files.isNothing { return highest }
            try files.read(into: connection, owner: UInt32(clamping: highest + 1), today: today)
            try connection.execute("UPDATE meta SET owner = owner + 1")
            return highest + 1
        }
    }
}
