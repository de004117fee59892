#if Postgres
import ConvertConcurrency
import ConvertMobileRules

/// The statements on the event history's table.
enum OccurrenceTable {
    /// Counts the event's occurrences within `window`.
    /// - Parameter times: occurrences that may not be in the table yet; they are counted as well.
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

    /// Records to write, and withdrawn records that may already be in the table.
    struct Portion {
        var entries: [WaitingRecords.Entry]
        var withdrawn: [WaitingRecords.Entry]
        /// A random number per history. With an entry's ticket it makes the number of an attempt.
        let attempts: Int64

        /// The number of the attempt to record `entry`; 0 for an entry that need not be new.
        func attempt(of entry: WaitingRecords.Entry) -> Int64 {
            entry.onlyIfNew ? attempts &+ Int64(entry.ticket) : 0
        }
    }

    /// Deletes withdrawn records, then adds entries that are not in the table. An entry with `onlyIfNew` is added only
    /// if the event has not occurred before. Returns for each entry whether it was new; always `true` without
    /// `onlyIfNew`.
    static func write(_ portion: Portion, _ connection: Connection) throws(StorageError) -> [Bool] {
        let withdrawn = portion.withdrawn.sorted { $0.fingerprint.rawValue < $1.fingerprint.rawValue }
        let withdrawals = withdrawn.flatMap { entry in
            let event = Int64(entry.fingerprint.rawValue)
            return [
                // Waits for an attempt that may still run on an abandoned connection.
                Command(
                    "SELECT pg_advisory_xact_lock(hashtext(current_schema()), ($1 - 2147483648)::integer)",
                    .integer(event)),
                Command(
                    "DELETE FROM occurrences WHERE fingerprint = $1 AND time = $2 AND attempt = $3", .integer(event),
                    .integer(entry.time), .integer(portion.attempt(of: entry))),
            ]
        }
        let entries = portion.entries
        // All transactions lock in this order, so that they cannot deadlock. Records of one event keep their order of
        // arrival.
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

    /// Removes the event's occurrences within `window`. Returns their number, including `times` that were not in the
    /// table.
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

/// Applies an event history's retention limits now and then, without making a caller wait.
final class OccurrenceCleaning: Sendable {
    /// The maximum number of occurrences that one statement deletes.
    private static let step: Int64 = 1000
    /// The maximum number above `maximumCount` that one cleaning deletes.
    private static let excess: Int64 = 20_000

    private let retention: EventHistoryRetention
    /// The number of records since the last cleaning.
    private let count = Mutex(0)

    init(_ retention: EventHistoryRetention) { self.retention = retention }

    /// Counts records. Returns whether a cleaning is due.
    func isDue(after records: Int) -> Bool {
        count.withLock { count in
            count += records
            guard count >= min(1000, max(1, retention.maximumCount / 10)) else { return false }
            count = 0
            return true
        }
    }

    /// Deletes what exceeds the limits, given that an event was recorded at `time`.
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
