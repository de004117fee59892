import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

extension LedgerFile {
    func commit(_ entries: [LedgerEntry]) throws -> [LedgerOutcome] {
        let today = options.today()
        return try transaction { connection in
            try entries.map { try store($0, on: today, connection) }
        }
    }

    func remove(_ ids: [EventID]) throws {
        let ids = ids.map(\.rawValue).sorted()
        if ids.isEmpty { return }
        try transaction { connection in
            var first = 0
            while first < ids.count {
                // Deleting a run of consecutive ids costs as much as deleting one.
                var last = first
                while last + 1 < ids.count, ids[last + 1] == ids[last] || ids[last + 1] == ids[last] &+ 1 { last += 1 }
                try connection.statement("DELETE FROM events WHERE id BETWEEN ? AND ?")
                    .run(.integer(ids[first]), .integer(ids[last]))
                first = last + 1
            }
        }
    }

    func forget(_ visitor: String) throws {
        let key = Data(visitor.utf8)
        try transaction { connection in
            try connection.statement("DELETE FROM visitors WHERE key = ?").run(.data(key))
            visitorCount = visitorCount.map { $0 - connection.changeCount }
            // The scan is acceptable: few events are undelivered, and few visitors are forgotten. Every event would pay
            // for an index.
            try connection.statement("DELETE FROM events WHERE visitor = ?").run(.data(key))
            try connection.statement("UPDATE meta SET forgot = 1").run()
        }
        clearLog()
    }

    /// Removes some visitors above the limits, and returns some free pages to the disk. Returns whether there is more
    /// to do.
    func removeExcess(_ connection: Connection) throws -> Bool {
        let limit = 256
        var hasMore = false
        let count = try visitorCount ?? Int(connection.integer("SELECT count(*) FROM visitors"))
        visitorCount = count
        let excess = count - options.maximumVisitorCount
        if excess > 0 {
            try removeOldest(min(limit, excess))
            hasMore = excess > limit
        }
        if let age = options.maximumVisitorAge, case let today = options.today(), tidyDay != today {
            let removed = try removeOldest(limit, savedBefore: today - age)
            if removed < limit { tidyDay = today } else { hasMore = true }
        }
        return try connection.giveRoomBack() || hasMore
    }

    /// Returns the number of removed visitors.
    @discardableResult
    private func removeOldest(_ limit: Int, savedBefore day: Int64 = .max) throws -> Int {
        try transaction { connection in
            try connection.statement(
                """
                DELETE FROM visitors WHERE number IN
                (SELECT number FROM visitors WHERE saved < ? ORDER BY saved, number LIMIT ?)
                """
            ).run(.integer(day), .integer(Int64(limit)))
            let removed = connection.changeCount
            Invariant.check(removed <= limit, "no more visitors are removed than are too many")
            visitorCount = visitorCount.map { $0 - removed }
            return removed
        }
    }

    private func store(_ entry: LedgerEntry, on today: Int64, _ connection: Connection) throws -> LedgerOutcome {
        let key = Data(entry.visitor.utf8)
        let row = try Self.row(of: key, connection)
        let settlement = try entry.settled(over: row?.state) { id in
            try connection.statement("SELECT 1 FROM events WHERE id = ?").first(.integer(id.rawValue)) { _ in true }
                ?? false
        }
        let record = settlement.outcome.record
        if !record.isEmpty, row?.state != record || row?.day != today {
            let bytes = Data(ECMAScript.jsonText(of: .object(record.json)).utf8)
            Invariant.check((try? VisitorState(json: bytes)) == record, "a record that is written reads as it was")
            // Naming `saved` would change its index even if the day stays the same.
            let statement =
                row?.day == today
                ? try connection.statement("UPDATE visitors SET record = ?2 WHERE key = ?1 AND saved = ?3")
                : try connection.statement(
                    """
                    INSERT INTO visitors (key, record, saved) VALUES (?1, ?2, ?3)
                    ON CONFLICT (key) DO UPDATE SET record = excluded.record, saved = excluded.saved
                    """)
            try statement.run(.data(key), .data(bytes), .integer(today))
            if row == nil { visitorCount = visitorCount.map { $0 + 1 } }
        }
        for event in settlement.events {
            try connection.statement("INSERT OR IGNORE INTO events VALUES (?, ?, ?)")
                .run(.integer(event.id.rawValue), .data(key), .data(event.record))
        }
        return settlement.outcome
    }

    /// A visitor's record, and the day on which it was saved. An unreadable record counts as empty; the visitor's next
    /// change replaces it.
    static func row(of key: Data, _ connection: Connection) throws -> (state: VisitorState, day: Int64)? {
        try connection.statement("SELECT record, saved FROM visitors WHERE key = ?").first(.data(key)) { row in
            ((try? VisitorState(json: row.data(0))) ?? VisitorState(), row.integer(1))
        }
    }

    static func events(after id: Int64, limit: Int, _ connection: Connection) throws -> [StoredEvent] {
        var events: [StoredEvent] = []
        try connection.statement("SELECT id, payload FROM events WHERE id > ? ORDER BY id LIMIT ?")
            .forEach(.integer(id), .integer(Int64(limit))) { row in
                events.append(StoredEvent(id: EventID(rawValue: row.integer(0)), record: row.data(1)))
            }
        return events
    }
}
