extension Schema {
    /// The tables of a ledger.
    ///
    /// Keys are BLOBs because SQLite's text ends at the first NUL. Tables with a row number take half the time of
    /// tables WITHOUT ROWID. The index on `saved` gives the order in which visitors are removed. `saved` is a day, so
    /// the index changes only with a visitor's first save on a day.
    static let ledger = Schema(
        // "CvLd" in ASCII.
        applicationID: 0x4376_4C64,
        steps: [
            """
            CREATE TABLE visitors (
                number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, record BLOB NOT NULL, saved INTEGER NOT NULL
            );
            CREATE INDEX visitors_by_day ON visitors (saved);
            CREATE TABLE events (id INTEGER PRIMARY KEY, visitor BLOB NOT NULL, payload BLOB NOT NULL);
            CREATE TABLE meta (owner INTEGER NOT NULL, imported INTEGER NOT NULL, forgot INTEGER NOT NULL);
            INSERT INTO meta VALUES (0, 0, 0);
            """
        ],
        uses: """
            SELECT number, key, record, saved FROM visitors LIMIT 0;
            SELECT id, visitor, payload FROM events LIMIT 0;
            SELECT owner, imported, forgot FROM meta LIMIT 0;
            """)
}
