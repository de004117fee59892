#if Postgres
import ConvertConcurrency
import ConvertLedgers
import Foundation

/// The ledger's statements and transactions on entries and events.
enum LedgerTable {
    /// How often a commit is tried if other servers keep inserting one of its visitors.
    private static let attempts = 10

    /// Stores entries. Returns their outcomes and the number of unreadable records that were replaced.
    static func commit(
        _ entries: [LedgerEntry], owner: Int64, _ connection: Connection
    ) throws -> (outcomes: [LedgerOutcome], mendedCount: Int) {
        let keys = try VisitorKeys.stored(entries.map(\.visitor), connection)
        for _ in 0..<attempts {
            do {
                return try settle(entries, keys, owner: owner, connection)
            } catch let error as StorageError where error.sqlState == "23505" {
                // Another transaction has inserted a visitor that was new to this one. It has committed by now.
            }
        }
        throw StorageError(.busy, path: connection.name)
    }

    private static func settle(
        _ entries: [LedgerEntry], _ keys: [Data], owner: Int64, _ connection: Connection
    ) throws -> (outcomes: [LedgerOutcome], mendedCount: Int) {
        let reporting = entries.flatMap(\.events).filter { $0.fact != nil }
        let beginning = [
            LeaseTable.hold(owner), VisitorRows.lock(keys),
            Command("SELECT id FROM events WHERE id = ANY ($1)", .integers(reporting.map(\.id.rawValue))),
        ]
        return try connection.transaction(beginning) { rows in
            guard rows[0].count == 1 else { throw LedgerError.ownerHasEnded }
            var visitors = VisitorRows(rows[1])
            let stored = Set((0..<rows[2].count).map { rows[2].integer($0, 0) })
            var outcomes: [LedgerOutcome] = []
            var events: [(visitor: Data, event: LedgerEvent)] = []
            for (entry, key) in zip(entries, keys) {
                let settlement = visitors.settle(entry, key) { stored.contains($0.rawValue) }
                outcomes.append(settlement.outcome)
                events += settlement.events.map { (key, $0) }
            }
            Invariant.check(outcomes.count == entries.count, "every entry has an outcome")
            let ending = visitors.changes + (events.isEmpty ? [] : [insert(events, owner: owner)])
            return (ending, (outcomes, visitors.unreadableCount))
        }
    }

    /// Skips events that are already stored; they may belong to another owner by now.
    private static func insert(_ events: [(visitor: Data, event: LedgerEvent)], owner: Int64) -> Command {
        Command(
            """
            INSERT INTO events (id, owner, visitor, record)
                SELECT id, $1, visitor, record FROM unnest($2, $3, $4) AS u (id, visitor, record)
                ON CONFLICT (id) DO NOTHING
            """, .integer(owner), .integers(events.map(\.event.id.rawValue)), .datas(events.map(\.visitor)),
            .datas(events.map(\.event.record)))
    }

    /// The record stored under `key`, or `nil`.
    static func record(_ key: Data, _ connection: Connection) throws(StorageError) -> Data? {
        let rows = try connection.run(Command("SELECT record FROM visitors WHERE key = $1", .data(key)))
        return rows.count == 0 ? nil : rows.data(0, 0)
    }

    /// Removes a visitor's record and events. Waits for a transaction that has locked the visitor.
    static func forget(_ key: Data, _ connection: Connection) throws(StorageError) {
        _ = try connection.run([
            Command("DELETE FROM visitors WHERE key = $1", .data(key)),
            Command("DELETE FROM events WHERE visitor = $1", .data(key)),
        ])
    }

    /// Up to `limit` events of `owner` with ids above `id`, in order.
    static func events(
        of owner: Int64, after id: EventID?, limit: Int, _ connection: Connection
    ) throws(StorageError) -> [StoredEvent] {
        let found = events(
            in: try connection.run(
                Command(
                    "SELECT id, record FROM events WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3",
                    .integer(owner), .integer(id?.rawValue ?? .min), .integer(Int64(limit)))))
        found.checkOrder(after: id, limit: limit)
        return found
    }

    /// Finds the events with these ids, of any owner, in order.
    static func find(_ ids: [Int64]) -> Command {
        Command("SELECT id, record, owner FROM events WHERE id = ANY ($1) ORDER BY id", .integers(ids))
    }

    /// Removes the events with these ids that belong to `owner`.
    static func remove(_ ids: [Int64], of owner: Int64) -> Command {
        // `owner + 0` keeps the planner from using the index on `owner`, which would scan all events of the owner.
        Command("DELETE FROM events WHERE id = ANY ($2) AND owner + 0 = $1", .integer(owner), .integers(ids))
    }

    /// Moves the oldest events of `former` to `owner`, and returns them in order.
    static func move(
        from former: Int64, to owner: Int64, limit: Int, _ connection: Connection
    ) throws(StorageError) -> [StoredEvent] {
        let moved = try connection.run(
            Command(
                """
                UPDATE events SET owner = $2 WHERE id = ANY (ARRAY(
                    SELECT id FROM events WHERE owner = $1 ORDER BY id LIMIT $3
                )) RETURNING id, record
                """, .integer(former), .integer(owner), .integer(Int64(limit))))
        let events = events(in: moved).sorted { $0.id < $1.id }
        events.checkOrder(after: nil, limit: limit)
        return events
    }

    /// The events in `rows`. With an owner, only that owner's events: then the rows must come from ``find(_:)``.
    static func events(in rows: Rows, of owner: Int64? = nil) -> [StoredEvent] {
        (0..<rows.count).filter { row in owner.map { rows.integer(row, 2) == $0 } ?? true }
            .map { StoredEvent(id: EventID(rawValue: rows.integer($0, 0)), record: rows.data($0, 1)) }
    }
}
#endif
