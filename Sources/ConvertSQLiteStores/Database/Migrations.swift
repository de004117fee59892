/// The schema, as the steps that led to it.
///
/// A step that was released is never changed; a new one is appended. The number of steps that were taken is kept in the
/// file as its `user_version`.
enum Migrations {
    /// Marks a database as one of ours: "CvSt" in ASCII.
    static let applicationID: Int64 = 0x4376_5374

    static let steps: [String] = [
        // Visitors are numbered anew when they are saved, so that the least recently saved ones have the lowest numbers.
        // Keys are bytes, because SQLite's text ends at the first NUL and compares under a collation.
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

    /// Makes the database what this version expects, and returns what it had to mend, in words.
    ///
    /// Several processes may do so at once: the first one does it, the others find it done.
    /// - Throws: `StorageError` with `newerVersion` or `foreignDatabase` if the file is to be left alone, and with
    ///   `corrupt` if it has tables that no version has made.
    @discardableResult
    static func apply(to connection: Connection, steps: [String] = steps) throws -> [String] {
        if try isCurrent(connection, steps: steps) { return [] }
        // Effective only while the file is empty; lets `remove` give room back to the disk.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        _ = try connection.statement("PRAGMA journal_mode = WAL").first { _ in }
        return try connection.transaction {
            if try isCurrent(connection, steps: steps) { return [] }
            var mended: [String] = []
            let version = try version(of: connection, steps: steps, &mended)
            try makeMissing(in: connection, of: version, steps: steps, &mended)
            for step in steps.dropFirst(version) { try connection.execute(step) }
            try connection.execute("PRAGMA application_id = \(applicationID)")
            try connection.execute("PRAGMA user_version = \(steps.count)")
            return mended
        }
    }

    /// Whether nothing is to be done.
    /// - Throws: if the file is to be left alone.
    private static func isCurrent(_ connection: Connection, steps: [String]) throws -> Bool {
        let version = try connection.integer("PRAGMA user_version")
        let schema = try Schema(of: connection)
        guard try connection.integer("PRAGMA application_id") == applicationID else {
            if try isOurs(connection, version, schema, steps: steps) { return false }
            throw StorageError(.foreignDatabase, path: connection.name)
        }
        if version > steps.count { throw StorageError(.newerVersion, path: connection.name) }
        return try version == steps.count && Schema(after: steps.count, of: steps).isPart(of: schema)
    }

    /// Whether a database without our mark is ours all the same: an empty one is, and one with just our tables, which has
    /// been restored from a dump, where marks are missing.
    private static func isOurs(
        _ connection: Connection, _ version: Int64, _ schema: Schema, steps: [String]
    ) throws -> Bool {
        guard try version == 0 && connection.integer("PRAGMA application_id") == 0 else { return false }
        if schema.isEmpty { return true }
        return try (1...steps.count).contains { try Schema(after: $0, of: steps) == schema }
    }

    /// The number of steps that were taken. If it was lost, the tables tell.
    private static func version(
        of connection: Connection, steps: [String], _ mended: inout [String]
    ) throws -> Int {
        let version = try connection.integer("PRAGMA user_version")
        let schema = try Schema(of: connection)
        if version > 0 || version == 0 && schema.isEmpty { return Int(version) }
        let candidates = try (1...steps.count).filter { try Schema(after: $0, of: steps).isPart(of: schema) }
        guard let found = candidates.last else { throw StorageError(.corrupt, path: connection.name) }
        mended.append("its version number")
        return found
    }

    private static func makeMissing(
        in connection: Connection, of version: Int, steps: [String], _ mended: inout [String]
    ) throws {
        let expected = try Schema(after: version, of: steps)
        let schema = try Schema(of: connection)
        if expected.conflicts(with: schema) { throw StorageError(.corrupt, path: connection.name) }
        for object in expected.objects(missingIn: schema) {
            try connection.execute(object.statement)
            mended.append("the \(object.name), which was missing")
        }
    }
}
