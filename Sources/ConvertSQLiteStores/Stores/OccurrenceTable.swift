import ConvertConcurrency
import ConvertMobileRules

/// The statements on the event history's table.
enum OccurrenceTable {
    static func find(
        _ fingerprint: EventFingerprint, in window: ClosedRange<Int64>, _ connection: Connection
    ) throws -> EventOccurrences {
        let found = try connection.statement(
            "SELECT count(*), min(time), max(time) FROM occurrences WHERE fingerprint = ? AND time BETWEEN ? AND ?"
        ).first(
            .integer(Int64(fingerprint.rawValue)), .integer(window.lowerBound), .integer(window.upperBound)
        ) { row in
            let first = row.integer(1)
            return EventOccurrences(
                count: Int(row.integer(0)), times: row.isNull(1) ? nil : first...max(first, row.integer(2)))
        }
        return found ?? .none
    }

    /// The number of occurrences above `limit`. Called in a transaction.
    ///
    /// Triggers maintain a counter, since counting the rows would read all of them. Before the caller deletes rows
    /// because of it, the counter is compared with the table, once per connection.
    static func excess(over limit: Int, _ connection: Connection) throws -> Int {
        var count = try connection.integer("SELECT count FROM occurrence_count")
        if count > Int64(limit), !connection.isCountVerified {
            connection.isCountVerified = true
            count = try connection.integer("SELECT count(*) FROM occurrences")
            try connection.statement("UPDATE occurrence_count SET count = ?").run(.integer(count))
        }
        return max(0, Int(clamping: count) - limit)
    }

    /// Adds a record that is not in the table. An entry with `onlyIfNew` is added only if the event has not occurred
    /// before. Returns whether it was added.
    static func insert(_ entry: WaitingRecords.Entry, _ connection: Connection) throws -> Bool {
        let insert =
            entry.onlyIfNew && !PlantedFault.isPlanted("message-shown-again")
            ? try connection.statement(
                """
                INSERT OR IGNORE INTO occurrences (fingerprint, time) SELECT ?1, ?2 WHERE NOT EXISTS
                    (SELECT 1 FROM occurrences WHERE fingerprint = ?1 AND time BETWEEN 0 AND ?2)
                """)
            : try connection.statement("INSERT OR IGNORE INTO occurrences (fingerprint, time) VALUES (?1, ?2)")
        try insert.run(.integer(Int64(entry.fingerprint.rawValue)), .integer(entry.time))
        return connection.changeCount > 0
    }

    static func remove(
        _ fingerprint: EventFingerprint, in window: ClosedRange<Int64>, _ connection: Connection
    ) throws {
        try connection.statement("DELETE FROM occurrences WHERE fingerprint = ? AND time BETWEEN ? AND ?").run(
            .integer(Int64(fingerprint.rawValue)), .integer(window.lowerBound), .integer(window.upperBound))
    }
}
