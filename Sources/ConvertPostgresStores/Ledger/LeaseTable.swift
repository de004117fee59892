#if Postgres
import ConvertLedgers
import Foundation

/// The ledger's statements and transactions on owners of events and their leases.
enum LeaseTable {
    /// The number of events that one transaction moves from a former owner of the same ledger.
    private static let movesAtOnce = 10_000

    /// Creates a new owner, and returns its number.
    ///
    /// It inserts a row, so that the commit makes the sequence's progress durable. Without a row, the sequence could
    /// repeat a number after a crash or on a standby that takes over.
    static func begin(_ lease: Duration, _ connection: Connection) throws(StorageError) -> Int64 {
        let rows = try connection.run(
            Command(
                """
                INSERT INTO owners VALUES (nextval('owner_ids'), clock_timestamp() + $1 * interval '1 microsecond')
                    RETURNING owner
                """, microseconds(lease)))
        return rows.count == 0 ? 0 : rows.integer(0, 0)
    }

    /// Extends the lease. Returns a row if the owner has not ended.
    static func renew(_ owner: Int64, _ lease: Duration) -> Command {
        Command(
            """
            UPDATE owners SET expires = clock_timestamp() + $2 * interval '1 microsecond'
                WHERE owner = $1 AND expires > '-infinity' RETURNING owner
            """, .integer(owner), microseconds(lease))
    }

    /// Prevents others from taking over the owner's events until the transaction ends. Returns a row if the owner has
    /// not ended.
    ///
    /// An expired lease still belongs to the owner until another server takes over: the row lock decides, not the
    /// clock.
    static func hold(_ owner: Int64) -> Command {
        Command(
            "SELECT owner FROM owners WHERE owner = $1 AND expires > '-infinity' FOR KEY SHARE", .integer(owner))
    }

    /// Ends the owner, so that others do not wait until the lease expires.
    static func release(_ owner: Int64) -> [Command] {
        // A running commit holds the row and may insert events. Only a statement that starts after the lock sees them.
        [Command("SELECT owner FROM owners WHERE owner = $1 FOR UPDATE", .integer(owner))] + end(owner)
    }

    private static func end(_ owner: Int64) -> [Command] {
        [
            Command("UPDATE owners SET expires = '-infinity' WHERE owner = $1", .integer(owner)), deleteIfEmpty(owner),
        ]
    }

    /// Moves all remaining events of `former` to `owner`, and deletes `former`.
    /// - Returns: whether `former` had not ended, so that no other server has taken over its events.
    static func succeed(
        _ former: Int64, by owner: Int64, _ lease: Duration, _ connection: Connection
    ) throws -> Bool {
        // The lock waits for a transaction of the former owner that may still run because its answer was lost.
        let lock = Command(
            "SELECT (expires > '-infinity')::int::bigint FROM owners WHERE owner = $1 FOR UPDATE", .integer(former))
        var isIntact = true
        while true {
            let isOver = try connection.transaction([lock]) { rows in
                guard rows[0].count == 1 else {
                    isIntact = false
                    return ([], true)
                }
                if rows[0].integer(0, 0) == 0 { isIntact = false }
                let moved = try LedgerTable.move(from: former, to: owner, limit: movesAtOnce, connection)
                return ([deleteIfEmpty(former), renew(former, lease)], moved.count < movesAtOnce)
            }
            if isOver { return isIntact }
        }
    }

    /// Takes over up to `limit` events of one ended owner for `owner`. Deletes the ended owner once it has no more
    /// events.
    ///
    /// - Parameters:
    ///   - onlyReleased: whether to skip owners that have not ended for good, but failed to renew their lease.
    ///   - willTake: called with the events before the commit, because the commit's answer may be lost.
    /// - Returns: the events; `nil` if no owner has ended.
    static func takeOver(
        _ limit: Int, by owner: Int64, onlyReleased: Bool, _ connection: Connection,
        willTake: ([StoredEvent]) -> Void
    ) throws -> [StoredEvent]? {
        // Concurrent callers lock different owners. An owner with a running transaction is skipped.
        let ended = Command(
            """
            SELECT owner FROM owners WHERE owner <> $1
                AND expires < CASE $2 WHEN 1 THEN 'epoch' ELSE clock_timestamp() END
                ORDER BY expires LIMIT 1 FOR UPDATE SKIP LOCKED
            """, .integer(owner), .integer(onlyReleased ? 1 : 0))
        return try connection.transaction([hold(owner), ended]) { rows in
            guard rows[0].count == 1 else { throw LedgerError.ownerHasEnded }
            guard rows[1].count == 1 else { return ([], nil) }
            let ended = rows[1].integer(0, 0)
            let events = try LedgerTable.move(from: ended, to: owner, limit: limit, connection)
            willTake(events)
            return (end(ended), events)
        }
    }

    private static func deleteIfEmpty(_ owner: Int64) -> Command {
        Command(
            """
            DELETE FROM owners WHERE owner = $1 AND NOT EXISTS (SELECT FROM events WHERE owner = $1)
            """, .integer(owner))
    }

    private static func microseconds(_ duration: Duration) -> Command.Value {
        .integer(Int64(duration / .microseconds(1)))
    }
}
#endif
