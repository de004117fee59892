#if Postgres
/// The limits of visitors' records. The least recently saved records are deleted first.
struct VisitorRetention: Sendable {
    /// How often servers look for records to delete.
    static let interval = Duration.seconds(3600)
    /// The maximum number of records that one transaction deletes.
    private static let deletionsAtOnce: Int64 = 10_000

    /// Records that were last saved more days ago than this are deleted; `nil` keeps them.
    private let days: Int64?
    /// The maximum number of records; `nil` for no limit.
    private let count: Int64?

    init(days: Int? = nil, count: Int? = nil) {
        // PostgreSQL's dates can represent this many days ago.
        self.days = days.map { Int64(min(max(1, $0), 1_000_000)) }
        self.count = count.map { min(max(1, Int64($0)), .max - Self.deletionsAtOnce) }
    }

    /// Deletes some of the records that are too old or above the maximum number, unless another server is deleting.
    /// Returns whether there may be more.
    func deleteSome(_ connection: Connection) throws -> Bool {
        let lock = Command(
            """
            SELECT pg_try_advisory_xact_lock(x'43765274'::integer, hashtext(current_schema()))::integer::bigint
            """)
        return try connection.transaction([lock]) { rows in
            if rows[0].integer(0, 0) == 0 { return ([], false) }
            var deleted: Int64 = 0
            if let days { deleted = try delete(olderThan: days, limit: Self.deletionsAtOnce, connection) }
            if let count, deleted < Self.deletionsAtOnce {
                let found = try connection.run(
                    Command(
                        "SELECT count(*) FROM (SELECT FROM visitors LIMIT $1) AS counted",
                        .integer(count + Self.deletionsAtOnce)))
                // -2 selects records of any age, even those saved "tomorrow" by a server in another time zone.
                deleted = try delete(olderThan: -2, limit: max(0, found.integer(0, 0) - count), connection)
            }
            return ([], deleted == Self.deletionsAtOnce)
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
