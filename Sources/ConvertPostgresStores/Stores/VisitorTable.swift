#if Postgres
import ConvertECMAScript
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// The statements about the visitors' table.
enum VisitorTable {
    /// A key, and changes of its record in order.
    struct Entry {
        let key: Data
        var changes: [VisitorChanges]
    }

    /// How often rows are looked for again that someone deletes meanwhile.
    private static let attempts = 3

    static func storedKeys(_ keys: [String], _ connection: Connection) throws(StorageError) -> [Data] {
        try VisitorKeys.stored(keys, connection)
    }

    /// The records under `keys`, as they are stored.
    static func records(_ keys: [Data], _ connection: Connection) throws(StorageError) -> [Data: Data] {
        let rows = try connection.run(
            Command("SELECT key, record FROM visitors WHERE key = ANY ($1)", .datas(keys)))
        return byKey(rows)
    }

    /// Merges changes over what is stored, each visitor's in one transaction with some of the others', and returns what is
    /// stored then.
    ///
    /// Rows are inserted and locked in the order of their keys, by everyone, so that nobody waits in a circle.
    ///
    /// - Parameter didMend: called if records that could not be read were replaced.
    static func settle(
        _ entries: [Entry], _ connection: Connection, didMend: () -> Void
    ) throws -> [Data: VisitorState] {
        var settled: [Data: VisitorState] = [:]
        try claimGoals(of: entries, connection)
        var rest = entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for _ in 0..<attempts {
            try insertNew(&rest, &settled, connection)
            if rest.isEmpty { return settled }
            if try updateKnown(&rest, &settled, connection) { didMend() }
            if rest.isEmpty { return settled }
        }
        throw StorageError(.busy, path: connection.name)
    }

    /// Counts goals as claimed that were reported without the journal's database, or by servers without a journal. Claims of
    /// rows no longer go with those: a row that is taken back may have been reported from memory.
    private static func claimGoals(of entries: [Entry], _ connection: Connection) throws(StorageError) {
        var visitors: [Data] = []
        var goals: [String] = []
        for entry in entries {
            for changes in entry.changes {
                for goal in changes.changes.goals ?? JSObject() where goal.value.isTruthy {
                    visitors.append(entry.key)
                    goals.append(goal.key.name)
                }
            }
        }
        if goals.isEmpty { return }
        let stored = try storedKeys(goals, connection)
        _ = try connection.run(
            Command(
                """
                INSERT INTO claimed_goals (visitor, goal, event)
                    SELECT DISTINCT visitor, goal, 0 FROM unnest($1, $2) AS u (visitor, goal) ORDER BY visitor, goal
                    ON CONFLICT (visitor, goal) DO UPDATE SET event = 0 WHERE claimed_goals.event <> 0
                """, .datas(visitors), .datas(stored)))
    }

    /// Stores visitors of whom nothing is stored, and takes them out of `rest`.
    private static func insertNew(
        _ rest: inout [Entry], _ settled: inout [Data: VisitorState], _ connection: Connection
    ) throws {
        let states = rest.map { $0.changes.merged(over: VisitorState()) }
        let inserted = try connection.run(
            Command(
                """
                INSERT INTO visitors (key, record)
                    SELECT key, record FROM unnest($1, $2) AS u (key, record) ORDER BY key
                    ON CONFLICT DO NOTHING RETURNING key
                """, .datas(rest.map(\.key)), .datas(states.map(bytes))))
        let keys = Set((0..<inserted.count).map { inserted.data($0, 0) })
        for (entry, state) in zip(rest, states) where keys.contains(entry.key) { settled[entry.key] = state }
        rest.removeAll { keys.contains($0.key) }
    }

    /// Merges changes over the records that are stored, and takes those visitors out of `rest`. Returns whether records were
    /// replaced that could not be read.
    private static func updateKnown(
        _ rest: inout [Entry], _ settled: inout [Data: VisitorState], _ connection: Connection
    ) throws -> Bool {
        let entries = rest
        var isMended = false
        let known = Command(
            "SELECT key, record FROM visitors WHERE key = ANY ($1) ORDER BY key FOR NO KEY UPDATE",
            .datas(entries.map(\.key)))
        let merged = try connection.transaction([known]) { rows -> ([Command], [Data: VisitorState]) in
            let records = byKey(rows[0])
            var merged: [Data: VisitorState] = [:]
            var changed: [(key: Data, record: Data)] = []
            for entry in entries {
                guard let record = records[entry.key] else { continue }
                let stored = try? VisitorState(json: record)
                if stored == nil { isMended = true }
                let state = entry.changes.merged(over: stored ?? VisitorState())
                merged[entry.key] = state
                if state != stored { changed.append((entry.key, bytes(state))) }
            }
            if changed.isEmpty { return ([], merged) }
            let update = Command(
                """
                UPDATE visitors AS v SET record = u.record, saved_on = current_date
                    FROM unnest($1, $2) AS u (key, record) WHERE v.key = u.key
                """, .datas(changed.map(\.key)), .datas(changed.map(\.record)))
            return ([update], merged)
        }
        settled.merge(merged) { $1 }
        rest.removeAll { merged[$0.key] != nil }
        return isMended
    }

    /// Forgets `record`, unless another process has replaced it. Returns whether it did.
    static func forget(_ key: Data, _ record: Data, _ connection: Connection) throws(StorageError) -> Bool {
        try connection.run(
            Command("DELETE FROM visitors WHERE key = $1 AND record = $2 RETURNING true", .data(key), .data(record))
        ).count > 0
    }

    private static func byKey(_ rows: Rows) -> [Data: Data] {
        var records: [Data: Data] = [:]
        for row in 0..<rows.count { records[rows.data(row, 0)] = rows.data(row, 1) }
        return records
    }

    private static func bytes(_ state: VisitorState) -> Data {
        Data(ECMAScript.jsonText(of: .object(state.json)).utf8)
    }
}

extension [VisitorChanges] {
    /// The record with all of them merged over it, one after the other.
    fileprivate func merged(over stored: VisitorState) -> VisitorState { reduce(stored) { $1.merged(over: $0) } }
}
#endif
