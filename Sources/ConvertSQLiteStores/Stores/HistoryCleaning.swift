import ConvertConcurrency
import ConvertMobileRules

/// Forgets what an event history is not to keep, in steps: a caller that records may have to wait for one, not for all.
final class HistoryCleaning: Sendable {
    /// Occurrences for which room is made at once when the history is full.
    private static let roomMade = 250
    /// The most occurrences that one step forgets.
    static let step = 256

    private let retention: EventHistoryRetention
    /// Older records must be removed, and a caller has left some of them.
    private let limit = Mutex<Int64?>(nil)

    init(_ retention: EventHistoryRetention) { self.retention = retention }

    /// Forgets some of what is too much now that something was recorded at `time`. Returns whether there is more.
    func clean(after time: Int64, _ connection: Connection) throws -> Bool {
        var isBehind = false
        if retention.maximumAge != nil {
            let oldest = try connection.integer("SELECT min(time) FROM occurrences")
            let previous =
                try connection.statement("SELECT time FROM occurrences ORDER BY time DESC LIMIT 1 OFFSET 1")
                .first { $0.integer(0) }
            if let expiry = retention.expiry(at: time, oldest: oldest, newestBefore: previous ?? time) {
                isBehind = try forget(before: expiry, connection)
                if isBehind { limit.withLock { $0 = expiry } }
            }
        }
        let excess = try OccurrenceTable.excess(over: retention.maximumCount, connection)
        guard excess > 0 else { return isBehind }
        // More than needed goes, so that this is rare, but no more than a caller may wait for.
        let wanted = excess + min(retention.maximumCount / 10, Self.roomMade)
        try forgetOldest(min(wanted, Self.step), connection)
        return isBehind || wanted > Self.step
    }

    /// Forgets some of what callers left. Returns whether there is more.
    func step(_ connection: Connection) throws -> Bool {
        var hasMore = false
        if let limit = limit.withLock({ $0 }) {
            hasMore = try connection.transaction { try forget(before: limit, connection) }
            if !hasMore { self.limit.withLock { $0 = $0 == limit ? nil : $0 } }
        }
        return try connection.transaction {
            let excess = try OccurrenceTable.excess(over: retention.maximumCount, connection)
            if excess > 0 { try forgetOldest(min(excess, Self.step), connection) }
            return hasMore || excess > Self.step
        }
    }

    private func forget(before limit: Int64, _ connection: Connection) throws -> Bool {
        try connection.statement(
            """
            DELETE FROM occurrences WHERE (fingerprint, time) IN
                (SELECT fingerprint, time FROM occurrences WHERE time < ? ORDER BY time LIMIT ?)
            """
        ).run(.integer(limit), .integer(Int64(Self.step)))
        return connection.changeCount == Self.step
    }

    private func forgetOldest(_ count: Int, _ connection: Connection) throws {
        try connection.statement(
            """
            DELETE FROM occurrences WHERE (fingerprint, time) IN
                (SELECT fingerprint, time FROM occurrences ORDER BY time LIMIT ?)
            """
        ).run(.integer(Int64(count)))
    }
}
