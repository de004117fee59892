#if Postgres
import ConvertConcurrency
import ConvertMobileRules
import ConvertStoreSupport

/// The statements about the event history's table.
enum OccurrenceTable {
    /// - Parameter times: those that may not be in the table yet, and count as well.
    static func find(
        _ fingerprint: EventFingerprint, in window: ClosedRange<Int64>, beside times: [Int64], _ connection: Connection
    ) throws(StorageError) -> EventOccurrences {
        let rows = try connection.run(
            Command(
                """
                SELECT count(*), min(time), max(time) FROM (
                    SELECT time FROM occurrences WHERE fingerprint = $1 AND time BETWEEN $2 AND $3
                    UNION SELECT unnest($4)
                ) AS found
                """, .integer(Int64(fingerprint.rawValue)), .integer(window.lowerBound), .integer(window.upperBound),
                .integers(times)))
        guard rows.count == 1, !rows.isNull(0, 1) else { return .none }
        let first = rows.integer(0, 1)
        return EventOccurrences(
            count: Int(clamping: rows.integer(0, 0)), times: first...max(first, rows.integer(0, 2)))
    }

    /// Records to write, and records that are to be none and may have been written.
    struct Portion {
        var entries: [WaitingRecords.Entry]
        var withdrawn: [WaitingRecords.Entry]
        /// What tells this process's attempts from others', with an entry's ticket.
        let attempts: Int64

        /// The number of the attempt to make `entry`; 0 for one that need not be new.
        func attempt(of entry: WaitingRecords.Entry) -> Int64 {
            entry.onlyIfNew ? attempts &+ Int64(entry.ticket) : 0
        }
    }

    /// Takes back what is withdrawn, and adds records, each unless it is there, or is to be new and is not. Returns of
    /// each whether it was new, where that was asked.
    static func write(_ portion: Portion, _ connection: Connection) throws(StorageError) -> [Bool] {
        let withdrawn = portion.withdrawn.sorted { $0.fingerprint.rawValue < $1.fingerprint.rawValue }
        let withdrawals = withdrawn.flatMap { entry in
            let event = Int64(entry.fingerprint.rawValue)
            return [
                // An attempt that is under way on a connection that was given up.
                Command(
                    "SELECT pg_advisory_xact_lock(hashtext(current_schema()), ($1 - 2147483648)::integer)",
                    .integer(event)),
                Command(
                    "DELETE FROM occurrences WHERE fingerprint = $1 AND time = $2 AND attempt = $3", .integer(event),
                    .integer(entry.time), .integer(portion.attempt(of: entry))),
            ]
        }
        let entries = portion.entries
        // In one order everywhere, against deadlocks; records of one event in their order of arrival.
        let order = entries.indices.sorted { left, right in
            (entries[left].fingerprint.rawValue, left) < (entries[right].fingerprint.rawValue, right)
        }
        if !withdrawals.isEmpty { _ = try connection.run(withdrawals) }
        if entries.isEmpty { return [] }
        let rows = try connection.run(
            order.map { index in
                let entry = entries[index]
                return Command(
                    "SELECT record_occurrence($1, $2, $3)", .integer(Int64(entry.fingerprint.rawValue)),
                    .integer(entry.time), .integer(portion.attempt(of: entry)))
            })
        var outcomes = Array(repeating: false, count: entries.count)
        for (row, index) in zip(rows, order) where row.count == 1 { outcomes[index] = row.integer(0, 0) == 1 }
        return outcomes
    }

    /// Removes the event's occurrences within `window`. Returns how many there were, `times` among them.
    static func remove(
        _ fingerprint: EventFingerprint, in window: ClosedRange<Int64>, beside times: [Int64], _ connection: Connection
    ) throws(StorageError) -> Int {
        let rows = try connection.run(
            Command(
                """
                WITH removed AS (
                    DELETE FROM occurrences WHERE fingerprint = $1 AND time BETWEEN $2 AND $3 RETURNING time
                )
                SELECT count(*) FROM (SELECT time FROM removed UNION SELECT unnest($4)) AS found
                """, .integer(Int64(fingerprint.rawValue)), .integer(window.lowerBound), .integer(window.upperBound),
                .integers(times)))
        return rows.count == 1 ? Int(clamping: rows.integer(0, 0)) : 0
    }
}

/// Forgets what an event history is not to keep, now and then, and not while a caller waits.
final class OccurrenceCleaning: Sendable {
    /// The most occurrences that one statement forgets.
    private static let step: Int64 = 1000
    /// The most that one cleaning forgets because they are too many.
    private static let excess: Int64 = 20_000

    private let retention: EventHistoryRetention
    /// Records since the last time.
    private let count = Mutex(0)

    init(_ retention: EventHistoryRetention) { self.retention = retention }

    /// Counts records. Returns whether there are enough of them to look.
    func isDue(after records: Int) -> Bool {
        count.withLock { count in
            count += records
            guard count >= min(1000, max(1, retention.maximumCount / 10)) else { return false }
            count = 0
            return true
        }
    }

    /// Forgets what is too much now that something was recorded at `time`.
    func clean(after time: Int64, _ connection: Connection) throws {
        let limit = Int64(retention.maximumCount)
        let rows = try connection.run(
            Command(
                """
                SELECT (SELECT count(*) FROM (SELECT FROM occurrences LIMIT $1) AS counted),
                    (SELECT min(time) FROM occurrences),
                    (SELECT time FROM occurrences ORDER BY time DESC LIMIT 1 OFFSET 1)
                """, .integer(min(limit, .max - Self.excess) + Self.excess)))
        guard rows.count == 1, !rows.isNull(0, 1) else { return }
        let newestBefore = rows.isNull(0, 2) ? time : rows.integer(0, 2)
        let expiry = retention.expiry(at: time, oldest: rows.integer(0, 1), newestBefore: newestBefore)
        if let expiry { try forget(before: expiry, atMost: .max, connection) }
        try forget(before: .max, atMost: rows.integer(0, 0) - limit, connection)
    }

    private func forget(before time: Int64, atMost limit: Int64, _ connection: Connection) throws(StorageError) {
        var left = limit
        while left > 0 {
            let removed = try connection.run(
                Command(
                    """
                    DELETE FROM occurrences WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM occurrences WHERE time < $1 ORDER BY time LIMIT $2 FOR UPDATE SKIP LOCKED
                    )) RETURNING true
                    """, .integer(time), .integer(min(left, Self.step))))
            left -= Int64(removed.count)
            if removed.count == 0 { return }
        }
    }
}
#endif
