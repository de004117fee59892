/// The schema, as the steps that led to it.
///
/// A step that was released is never changed; a new one is appended. The number of steps that were taken is kept in the
/// file as its `user_version`.
enum Migrations {
    /// Marks a database as one of ours: "CvSt" in ASCII.
    static let applicationID: Int64 = 0x4376_5374

    static let steps: [String] = [
        // Visitors are numbered anew when they are saved, so that the least recently saved ones have the lowest
        // numbers. Keys are bytes, because SQLite's text ends at the first NUL and compares under a collation.
        //
        // Events are numbered by AUTOINCREMENT, which gives no number twice, not even after the highest was deleted.
        //
        // The number of occurrences is kept by triggers: counting them would read the whole table.
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
        // The number of visitors is kept by the store, once for all saves of a transaction.
        """
        CREATE TABLE visitor_count (count INTEGER NOT NULL);
        INSERT INTO visitor_count SELECT count(*) FROM visitors;
        """,
        // The profile of the mobile rules; the values are JSON.
        "CREATE TABLE profile (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;",
    ]

    /// Fails if one of the tables is missing, or one of their columns.
    static let uses = """
        SELECT fingerprint, time FROM occurrences LIMIT 0;
        SELECT count FROM occurrence_count LIMIT 0;
        SELECT key, value FROM profile LIMIT 0;
        """

    /// Makes the database what this version expects.
    ///
    /// Several processes may do so at once: the first one does it, the others find it done.
    /// - Throws: `StorageError`, `newerVersion` or `foreignDatabase`, if the file is to be left alone.
    static func apply(to connection: Connection, steps: [String] = steps) throws {
        if try isCurrent(connection, steps) { return }
        // Effective only while the file is empty; lets `remove` give room back to the disk.
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

    /// Whether nothing is to be done.
    /// - Throws: if the file is to be left alone.
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
