#if Postgres
import ConvertStoreSupport

/// Which visitors' records are deleted, beginning with those that were saved longest ago.
struct VisitorRetention: Sendable {
    /// How often servers look for records to delete.
    static let interval = Duration.seconds(3600)
    /// Records that one transaction deletes at most.
    private static let deletionsAtOnce: Int64 = 10_000

    /// Records that were not saved for more days than this are deleted; `nil` keeps them.
    private let days: Int64?
    /// The most records that are kept; `nil` keeps all.
    private let count: Int64?

    init(days: Int? = nil, count: Int? = nil) {
        // A date has room for this number of days.
        self.days = days.map { Int64(min(max(1, $0), 1_000_000)) }
        self.count = count.map { min(max(1, Int64($0)), .max - Self.deletionsAtOnce) }
    }

    /// Deletes some records that are too old. Returns whether there may be more.
    func deleteOld(_ connection: Connection) throws -> Bool {
        guard let days else { return false }
        return try ifAlone(connection) { try delete(olderThan: days, limit: Self.deletionsAtOnce, connection) }
    }

    /// Deletes some records that are too many. Returns whether there may be more.
    func deleteExcess(_ connection: Connection) throws -> Bool {
        guard let count else { return false }
        return try ifAlone(connection) {
            let found = try connection.run(
                Command(
                    "SELECT count(*) FROM (SELECT FROM visitors LIMIT $1) AS counted",
                    .integer(count + Self.deletionsAtOnce)))
            // Whatever their age: those of tomorrow are among them.
            return try delete(olderThan: -2, limit: max(0, found.integer(0, 0) - count), connection)
        }
    }

    /// Runs `body`, which deletes records and counts them, unless another server is deleting. Returns whether there may
    /// be more.
    private func ifAlone(_ connection: Connection, _ body: () throws -> Int64) throws -> Bool {
        let lock = Command(
            """
            SELECT pg_try_advisory_xact_lock(x'43765274'::integer, hashtext(current_schema()))::integer::bigint
            """)
        return try connection.transaction([lock]) { rows in
            ([], try rows[0].integer(0, 0) == 1 && body() == Self.deletionsAtOnce)
        }
    }

    private func delete(
        olderThan days: Int64, limit: Int64, _ connection: Connection
    ) throws(StorageError) -> Int64 {
        let rows = try connection.run(
            Command(
                """
                WITH gone AS (
                    DELETE FROM visitors WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM visitors WHERE saved_on < current_date - $1::integer
                            ORDER BY saved_on LIMIT $2 FOR UPDATE SKIP LOCKED
                    )) RETURNING true
                ) SELECT count(*) FROM gone
                """, .integer(days), .integer(limit)))
        return rows.integer(0, 0)
    }
}
#endif
