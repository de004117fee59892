extension Schema {
    /// The tables of event histories and profiles, and of version 0.1.0's visitor stores and journals.
    static let stores = Schema(
        // "CvSt" in ASCII.
        applicationID: 0x4376_5374,
        steps: [
            // Each save gives a visitor a new number, so the least recently saved visitors have the lowest numbers.
            // Keys are bytes, because SQLite's text ends at the first NUL and compares under a collation.
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
        ],
        uses: """
            SELECT fingerprint, time FROM occurrences LIMIT 0;
            SELECT count FROM occurrence_count LIMIT 0;
            SELECT key, value FROM profile LIMIT 0;
            """)
}
