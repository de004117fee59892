/// The database schema, as a list of migration steps.
///
/// A released step never changes; changes are appended as new steps. The file's `user_version` has the number of
/// applied steps.
enum Migrations {
    /// Marks a database as belonging to this package: "CvSt" in ASCII.
    static let applicationID: Int64 = 0x4376_5374

    static let steps: [String] = [
        // Each save gives a visitor a new number, so the least recently saved visitors have the lowest numbers. Keys
        // are bytes, because SQLite's text ends at the first NUL and compares under a collation.
        //
        // AUTOINCREMENT never repeats an event's number, even after the highest one was deleted.
        //
        // Triggers maintain the number of occurrences: counting them would read the whole table.
        """
        CREATE TABLE visitors (
            number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, record BLOB NOT NULL
        );
        CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL);
        CREATE TABLE occurrences (
            fingerprint INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (fingerprint, time)
        ) WITHOUT ROWID;
        CREATE INDEX occurrences_by_time ON occurrences (time);
        CREATE TABLE occurrence_count (count INTEGER NOT NULL);
        INSERT INTO occurrence_count VALUES (0);
        CREATE TRIGGER occurrence_added AFTER INSERT ON occurrences
            BEGIN UPDATE occurrence_count SET count = count + 1; END;
        CREATE TRIGGER occurrence_removed AFTER DELETE ON occurrences
            BEGIN UPDATE occurrence_count SET count = count - 1; END;
        """,
        // The store maintains the number of visitors, once for all saves of a transaction.
        """
        CREATE TABLE visitor_count (count INTEGER NOT NULL);
        INSERT INTO visitor_count SELECT count(*) FROM visitors;
        """,
        // The profile of the mobile rules; the values are JSON.
        "CREATE TABLE profile (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;",
    ]

    /// Statements that fail if one of the tables or of their columns is missing.
    static let uses = """
        SELECT fingerprint, time FROM occurrences LIMIT 0;
        SELECT count FROM occurrence_count LIMIT 0;
        SELECT key, value FROM profile LIMIT 0;
        """

    /// Applies the missing steps.
    ///
    /// Several processes may call this at once: the first one applies the steps, the others wait for it.
    /// - Throws: `StorageError`, with `newerVersion` or `foreignDatabase` if the file must not be changed.
    static func apply(to connection: Connection, steps: [String] = steps) throws {
        if try isCurrent(connection, steps) { return }
        // Takes effect only while the file is empty; allows `remove` to return free pages to the disk.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        _ = try connection.statement("PRAGMA journal_mode = WAL").first { _ in }
        try connection.transaction {
            if try isCurrent(connection, steps) { return }
            let version = try connection.integer("PRAGMA user_version")
            for step in steps.dropFirst(Int(version)) { try connection.execute(step) }
            try connection.execute("PRAGMA application_id = \(applicationID)")
            try connection.execute("PRAGMA user_version = \(steps.count)")
        }
    }

    /// Whether all steps are applied.
    /// - Throws: if the file must not be changed.
    private static func isCurrent(_ connection: Connection, _ steps: [String]) throws -> Bool {
        let version = try connection.integer("PRAGMA user_version")
        if try connection.integer("PRAGMA application_id") == applicationID {
            if version > steps.count { throw StorageError(.newerVersion, path: connection.name) }
            if version < 0 { throw StorageError(.corrupt, path: connection.name) }
            return version == steps.count
        }
        let isEmpty = try version == 0 && connection.integer("SELECT count(*) FROM sqlite_master") == 0
        guard isEmpty else { throw StorageError(.foreignDatabase, path: connection.name) }
        return false
    }
}
