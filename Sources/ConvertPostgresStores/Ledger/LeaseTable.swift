#if Postgres
import ConvertLedgers
import ConvertStoreSupport
import ConvertSwiftSDK
import Foundation

/// The ledger's transactions about owners of events and their leases.
enum LeaseTable {
    /// Events that one transaction moves when an owner begins anew.
    private static let movesAtOnce = 10_000

    /// Begins a new owner, and returns its number.
    ///
    /// It writes a row, so the commit makes sure that the sequence does not give the number again after a crash, nor on
    /// a standby that takes over: both may not know of numbers that were given to sessions which wrote nothing.
    static func begin(_ lease: Duration, _ connection: Connection) throws(StorageError) -> Int64 {
        let rows = try connection.run(
            Command(
                """
                INSERT INTO owners VALUES (nextval('owner_ids'), clock_timestamp() + $1 * interval '1 microsecond')
                    RETURNING owner
                """, microseconds(lease)))
        return rows.count == 0 ? 0 : rows.integer(0, 0)
    }

    /// Extends the lease. A row means that the owner has not ended.
    static func renew(_ owner: Int64, _ lease: Duration) -> Command {
        Command(
            """
            UPDATE owners SET expires = clock_timestamp() + $2 * interval '1 microsecond'
                WHERE owner = $1 AND expires > '-infinity' RETURNING owner
            """, .integer(owner), microseconds(lease))
    }

    /// Keeps others from taking over the owner's events until the transaction ends. A row means that the owner has not
    /// ended.
    ///
    /// A lease that is over is still the owner's until somebody takes over: the lock decides, not the clock.
    static func hold(_ owner: Int64) -> Command {
        Command(
            "SELECT owner FROM owners WHERE owner = $1 AND expires > '-infinity' FOR KEY SHARE", .integer(owner))
    }

    /// Ends the owner, so that others need not wait for the end of the lease.
    static func release(_ owner: Int64) -> [Command] {
        // A commit that is under way holds the row, and may leave events: only a statement after its end sees them.
        [Command("SELECT owner FROM owners WHERE owner = $1 FOR UPDATE", .integer(owner))] + end(owner)
    }

    private static func end(_ owner: Int64) -> [Command] {
        [
            Command("UPDATE owners SET expires = '-infinity' WHERE owner = $1", .integer(owner)), deleteIfEmpty(owner),
        ]
    }

    /// Moves all events of `former` that are left to `owner`, and forgets `former`.
    /// - Returns: whether `former` had not ended before, so that it has lost no event to others.
    static func succeed(
        _ former: Int64, by owner: Int64, _ lease: Duration, _ connection: Connection
    ) throws -> Bool {
        // A transaction of the former owner whose answer was lost may be under way, and ends before.
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

    /// Makes `owner` that of up to `limit` events of one that has ended, and forgets one that has no more.
    ///
    /// - Parameters:
    ///   - onlyReleased: whether to pass over owners that may only have failed to renew their lease.
    ///   - willTake: called with the events before the commit, whose answer may be lost.
    /// - Returns: the events; `nil` if no owner has ended.
    static func takeOver(
        _ limit: Int, by owner: Int64, onlyReleased: Bool, _ connection: Connection,
        willTake: ([StoredEvent]) -> Void
    ) throws -> [StoredEvent]? {
        // Several that look at once see different ones. An owner whose transaction is under way is passed over.
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
