#if Postgres
import ConvertStoreSupport
import ConvertSwiftSDK
import Foundation

/// The statements about the journal's tables.
enum EventTable {
    /// Stands for no event, as in the statements: ids begin with 1. A row that needs no claim needs this one, and a goal that is
    /// claimed whatever becomes of an event is claimed by it.
    private static let noID: Int64 = 0
    /// How many ids one process takes at once, as the sequence counts.
    static let idsReserved: Int64 = 1024

    /// Rows of one call with their ids.
    struct Entry {
        let call: JournalCall
        let ids: [Int64]
    }

    /// A new owner's number, which is safe with the first renewal of its lease; see ``newIDs(for:lease:_:)``.
    static func newOwner(_ connection: Connection) throws(StorageError) -> Int64 {
        try connection.run(Command("SELECT nextval('owner_ids')")).integer(0, 0)
    }

    /// Ids that nobody else gets. The owner's lease is renewed with it.
    static func newIDs(
        for owner: Int64, lease: Duration, _ connection: Connection
    ) throws(StorageError) -> Range<Int64> {
        // A sequence's value is safe only with a commit that writes: without one, a server that crashes, or its replica
        // that is promoted, may give it again.
        let rows = try connection.run([Command("SELECT nextval('event_ids')"), renew(owner, lease: lease)])
        let first = rows[0].integer(0, 0)
        return first..<first + idsReserved
    }

    /// Says that the owner lives, for as long as `lease` from now on by the server's clock.
    static func renew(_ owner: Int64, lease: Duration) -> Command {
        Command(
            """
            INSERT INTO owners (owner, expires) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
                ON CONFLICT (owner) DO UPDATE SET expires = EXCLUDED.expires
            """, .integer(owner), .integer(Int64(lease / .milliseconds(1))))
    }

    /// Says that the owner has ended.
    static func release(_ owner: Int64) -> Command {
        Command("UPDATE owners SET expires = '-infinity' WHERE owner = $1", .integer(owner))
    }

    /// Appends rows, but for calls all of whose goals are claimed, in one step. What is there already, because an earlier
    /// attempt was not known to have succeeded, stays as it is.
    /// - Returns: the ids that are there now.
    static func append(_ entries: [Entry], owner: Int64, _ connection: Connection) throws(StorageError) -> Set<Int64> {
        let ids = entries.flatMap(\.ids)
        let records = entries.flatMap(\.call.rows)
        let counting = entries.filter { !$0.call.goals.isEmpty && !$0.ids.isEmpty }
        if counting.isEmpty {
            _ = try connection.run(
                Command(
                    """
                    INSERT INTO events (id, owner, record)
                        SELECT id, $1, record FROM unnest($2, $3) AS u (id, record) ON CONFLICT DO NOTHING
                    """, .integer(owner), .integers(ids), .datas(records)))
            return Set(ids)
        }
        // By the first id of its rows a call's claims are known.
        let needed = entries.flatMap { entry -> [Int64] in
            let isUnconditional = entry.call.goals.isEmpty || entry.call.isReported
            return entry.ids.map { _ in isUnconditional ? noID : entry.ids.first ?? noID }
        }
        let claims = counting.flatMap { entry in
            entry.call.goals.map { (entry.call.visitor, $0, entry.ids.first ?? noID) }
        }
        let visitors = try VisitorTable.storedKeys(claims.map(\.0), connection)
        let goals = try VisitorTable.storedKeys(claims.map(\.1), connection)
        let rows = try connection.run([
            Command(
                """
                WITH claimed AS (
                    INSERT INTO claimed_goals (visitor, goal, event)
                        SELECT visitor, goal, event FROM unnest($4, $5, $6) AS u (visitor, goal, event)
                        ORDER BY visitor, goal
                        ON CONFLICT DO NOTHING RETURNING event
                )
                INSERT INTO events (id, owner, record)
                    SELECT id, $1, record FROM unnest($2, $3, $7) AS u (id, record, needed)
                    WHERE needed = 0 OR needed IN (SELECT event FROM claimed)
                        OR needed = ANY (ARRAY(SELECT event FROM claimed_goals WHERE event = ANY ($6)))
                    ON CONFLICT DO NOTHING
                """, .integer(owner), .integers(ids), .datas(records), .datas(visitors), .datas(goals),
                .integers(claims.map(\.2)), .integers(needed)),
            Command(
                "SELECT id FROM events WHERE owner = $1 AND id = ANY ($2) AND id BETWEEN $3 AND $4", .integer(owner),
                .integers(ids), .integer(ids.min() ?? 0), .integer(ids.max() ?? 0)),
        ])[1]
        return Set((0..<rows.count).map { rows.integer($0, 0) })
    }

    /// Takes back rows of which nobody knows whether they are there, and the claims that came with them.
    static func withdraw(_ ids: [Int64], of owner: Int64, _ connection: Connection) throws(StorageError) {
        _ = try connection.run([
            Command("DELETE FROM claimed_goals WHERE event = ANY ($1)", .integers(ids)), remove(ids, of: owner),
        ])
    }

    static func remove(_ ids: [Int64], of owner: Int64) -> Command {
        // Their bounds are looked up in the index even where the owner is taken for one of few rows.
        Command(
            "DELETE FROM events WHERE owner = $1 AND id = ANY ($2) AND id BETWEEN $3 AND $4", .integer(owner),
            .integers(ids), .integer(ids.min() ?? 0), .integer(ids.max() ?? 0))
    }

    /// The oldest rows that the owner appended, after the one with the id.
    static func events(
        of owner: Int64, after id: Int64, limit: Int, _ connection: Connection
    ) throws(StorageError) -> [JournaledEvent] {
        let rows = try connection.run(
            Command(
                """
                SELECT id, record FROM events WHERE owner = $1 AND id > $2 AND NOT is_taken ORDER BY id LIMIT $3
                """, .integer(owner), .integer(id), .integer(Int64(limit))))
        return events(in: rows)
    }

    /// Makes `owner` that of up to `limit` rows of one that has ended; forgets one that has no more.
    /// - Returns: the rows; `nil` if no owner has ended.
    static func takeOver(_ limit: Int, by owner: Int64, _ connection: Connection) throws -> [JournaledEvent]? {
        // Two that look at once see different ones. While its row is locked an owner cannot append, nor live again.
        let ended = Command(
            """
            SELECT owner FROM owners WHERE expires < clock_timestamp() AND owner <> $1
                ORDER BY expires LIMIT 1 FOR UPDATE SKIP LOCKED
            """, .integer(owner))
        return try connection.transaction([ended]) { rows in
            guard rows[0].count > 0 else { return ([], nil) }
            let ended = rows[0].integer(0, 0)
            // An append that was made again may have left a row that this owner has already.
            let taken = try connection.run(
                Command(
                    """
                    WITH gone AS (
                        DELETE FROM events WHERE ctid = ANY (ARRAY(
                            SELECT ctid FROM events WHERE owner = $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
                        )) RETURNING id, record
                    )
                    INSERT INTO events (owner, id, is_taken, record) SELECT $1, id, true, record FROM gone
                        ON CONFLICT DO NOTHING RETURNING id, record
                    """, .integer(owner), .integer(ended), .integer(Int64(limit))))
            let forget = Command(
                """
                DELETE FROM owners WHERE owner = $1
                    AND (SELECT id FROM events WHERE owner = $1 ORDER BY id LIMIT 1) IS NULL
                """, .integer(ended))
            return ([forget], events(in: taken).sorted { $0.id < $1.id })
        }
    }

    /// The oldest rows that `owner` took over, but for those with the ids.
    static func takenOver(
        by owner: Int64, but ids: [Int64], limit: Int, _ connection: Connection
    ) throws(StorageError) -> [JournaledEvent] {
        let rows = try connection.run(
            Command(
                """
                SELECT id, record FROM events WHERE owner = $1 AND is_taken AND id <> ALL ($2) ORDER BY id LIMIT $3
                """, .integer(owner), .integers(ids), .integer(Int64(limit))))
        return events(in: rows)
    }

    private static func events(in rows: Rows) -> [JournaledEvent] {
        (0..<rows.count).map { JournaledEvent(id: rows.integer($0, 0), record: rows.data($0, 1)) }
    }
}
#endif
