import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

extension LedgerFile {
    /// The maximum number of cached rows.
    private static let rowLimit = 10_000

    func commit(_ entries: [LedgerEntry]) throws -> [LedgerOutcome] {
        if rows.count > Self.rowLimit { rows.removeAll(keepingCapacity: true) }
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
        rows[PropertyKey(visitor)] = nil
        clearLog()
    }

    /// Removes some visitors above the limits, and returns some free pages to the disk. Returns whether there is more
    /// to do.
    func removeExcess(_ connection: Connection) throws -> Bool {
        let limit = 256
        let count = try visitorCount ?? Int(connection.integer("SELECT count(*) FROM visitors"))
        visitorCount = count
        var hasMore = false
        if count > options.maximumVisitorCount {
            let excess = min(limit, count - options.maximumVisitorCount)
            try transaction { connection in
                try connection.statement(
                    "DELETE FROM visitors WHERE number IN (SELECT number FROM visitors ORDER BY saved, number LIMIT ?)"
                ).run(.integer(Int64(excess)))
                visitorCount = count - connection.changeCount
                Invariant.check(connection.changeCount <= excess, "no more visitors are removed than are too many")
            }
            hasMore = count - excess > options.maximumVisitorCount
        }
        if let age = options.maximumVisitorAge, case let today = options.today(), tidyDay != today {
            let removed = try transaction { connection in
                try connection.statement(
                    """
                    DELETE FROM visitors WHERE number IN
                    (SELECT number FROM visitors WHERE saved < ? ORDER BY saved LIMIT ?)
                    """
                ).run(.integer(today - age), .integer(Int64(limit)))
                return connection.changeCount
            }
            visitorCount = visitorCount.map { $0 - removed }
            if removed > 0 { rows.removeAll() }
            if removed < limit { tidyDay = today } else { hasMore = true }
        }
        return try connection.giveRoomBack() || hasMore
    }

    private func store(_ entry: LedgerEntry, on today: Int64, _ connection: Connection) throws -> LedgerOutcome {
        let name = PropertyKey(entry.visitor)
        let key = Data(entry.visitor.utf8)
        let row = try rows[name] ?? Self.row(of: key, connection)
        Invariant.inspect {
            // The row may have been removed as too old.
            guard let remembered = rows[name], let read = try? Self.row(of: key, connection) else { return }
            Invariant.check(read.state == remembered.state, "a row that is remembered is what the file has")
        }
        let settlement = try entry.settled(over: row?.state) { id in
            try connection.statement("SELECT 1 FROM events WHERE id = ?").first(.integer(id.rawValue)) { _ in true }
                ?? false
        }
        let record = settlement.outcome.record
        if !record.isEmpty {
            if row?.state != record || row?.day != today {
                try save(record, on: today, over: row, at: key, connection)
            }
            let isBefore = PlantedFault.isPlanted("row-cached-before-change")
            rows[name] = Row(state: isBefore ? row?.state ?? record : record, day: today)
        }
        for event in settlement.events {
            try connection.statement("INSERT OR IGNORE INTO events VALUES (?, ?, ?)")
                .run(.integer(event.id.rawValue), .data(key), .data(event.record))
        }
        return settlement.outcome
    }

    private func save(
        _ record: VisitorState, on today: Int64, over row: Row?, at key: Data, _ connection: Connection
    ) throws {
        let bytes = Data(ECMAScript.jsonText(of: .object(record.json)).utf8)
        Invariant.check((try? VisitorState(json: bytes)) == record, "a record that is written reads as it was")
        let json = Statement.Value.data(bytes)
        if let row {
            if row.day == today {
                try connection.statement("UPDATE visitors SET record = ? WHERE key = ?").run(json, .data(key))
            } else {
                try connection.statement("UPDATE visitors SET record = ?, saved = ? WHERE key = ?")
                    .run(json, .integer(today), .data(key))
            }
            // The row may have been removed as too old since it was read.
            if connection.changeCount > 0 { return }
        }
        try connection.statement("INSERT INTO visitors (key, record, saved) VALUES (?, ?, ?)")
            .run(.data(key), json, .integer(today))
        visitorCount = visitorCount.map { $0 + 1 }
    }

    /// A visitor's row. An unreadable record counts as empty; the visitor's next change replaces it.
    static func row(of key: Data, _ connection: Connection) throws -> Row? {
        let found = try connection.statement("SELECT record, saved FROM visitors WHERE key = ?")
            .first(.data(key)) { row in (row.data(0), row.integer(1)) }
        guard let (record, day) = found else { return nil }
        return Row(state: (try? VisitorState(json: record)) ?? VisitorState(), day: day)
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
