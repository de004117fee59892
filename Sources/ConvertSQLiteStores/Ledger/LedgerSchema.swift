import Foundation

/// The tables of a ledger's database.
enum LedgerSchema {
    /// "CvLd" in ASCII.
    private static let applicationID: Int64 = 0x4376_4C64
    private static let version: Int64 = 1

    // Keys are BLOBs because SQLite's text ends at the first NUL. Tables with a row number take half the time of tables
    // WITHOUT ROWID. The index on `saved` gives the order in which visitors are removed. `saved` is a day, so the index
    // changes only with a visitor's first save on a day.
    private static let tables = """
        CREATE TABLE visitors (
            number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, record BLOB NOT NULL, saved INTEGER NOT NULL
        );
        CREATE INDEX visitors_by_day ON visitors (saved);
        CREATE TABLE events (id INTEGER PRIMARY KEY, visitor BLOB NOT NULL, payload BLOB NOT NULL);
        CREATE TABLE meta (owner INTEGER NOT NULL, imported INTEGER NOT NULL, forgot INTEGER NOT NULL);
        INSERT INTO meta VALUES (0, 0, 0);
        """

    /// A statement that fails if a table or a column is missing.
    static let uses = """
        SELECT number, key, record, saved FROM visitors LIMIT 0;
        SELECT id, visitor, payload FROM events LIMIT 0;
        SELECT owner, imported, forgot FROM meta LIMIT 0;
        """

    /// The highest owner's number so far. It leaves room for at least one higher number.
    /// - Throws: `StorageError` with `corrupt` if the number is out of range.
    static func highestOwner(in connection: Connection) throws -> Int64 {
        let owner = try connection.integer("SELECT owner FROM meta")
        guard (0..<(1 << 31) - 1).contains(owner) else { throw StorageError(.corrupt, path: connection.name) }
        return owner
    }

    /// Creates the tables if they do not exist.
    /// - Parameters:
    ///   - owner: the minimum for the highest owner's number.
    ///   - files: files of version 0.1.0 to import, unless that was done before; `nil` for no import.
    ///   - today: the current day's number.
    /// - Returns: the highest owner's number.
    /// - Throws: `StorageError` with `newerVersion` or `foreignDatabase` if the file must not be changed.
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
        // SQLite accepts this only before the first table is created.
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
