#if Postgres
import ConvertStoreSupport

/// Which visitors' records are deleted, beginning with those that were saved longest ago.
struct VisitorRetention: Sendable {
    /// How often servers look for records to delete.
    static let interval = Duration.seconds(3600)
    /// Records that one transaction deletes at most.
    private static let deletionsAtOnce: Int64 = 10_000

    /// Records that were not saved for more days than this are deleted; `nil` keeps them.
    var days: Int?
    /// The most records that are kept; `nil` keeps all.
    var count: Int?

    /// Deletes what is to be deleted, unless another server is doing so.
    func apply(_ connection: Connection) throws {
        if days == nil && count == nil { return }
        while try deleteSome(connection) {}
    }

    /// Returns whether there may be more to delete.
    private func deleteSome(_ connection: Connection) throws -> Bool {
        let beginning = [
            Command(
                """
                SELECT pg_try_advisory_xact_lock(x'43765274'::integer, hashtext(current_schema()))::integer::bigint
                """),
            Command(
                "SELECT CASE $1 WHEN 1 THEN (SELECT count(*) FROM visitors) ELSE 0 END",
                .integer(count == nil ? 0 : 1)),
        ]
        return try connection.transaction(beginning) { rows in
            guard rows[0].integer(0, 0) == 1 else { return ([], false) }
            var deleted: [Int64] = []
            if let days { deleted.append(try delete(olderThan: Int64(days), limit: Self.deletionsAtOnce, connection)) }
            if let count {
                let excess = rows[1].integer(0, 0) - (deleted.first ?? 0) - Int64(count)
                // Whatever their age: those of tomorrow are among them.
                deleted.append(try delete(olderThan: -2, limit: min(max(0, excess), Self.deletionsAtOnce), connection))
            }
            return ([], deleted.contains(Self.deletionsAtOnce))
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
