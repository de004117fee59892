import ConvertConcurrency
import ConvertMobileRules

/// Applies an event history's retention limits in steps: a caller that records waits for one step at most.
final class HistoryCleaning: Sendable {
    /// The number of extra occurrences removed when the history is full.
    private static let roomMade = 250
    /// The maximum number of occurrences that one step removes.
    static let step = 256

    private let retention: EventHistoryRetention
    /// The time before which records must still be removed; `nil` if none are left.
    private let limit = Mutex<Int64?>(nil)

    init(_ retention: EventHistoryRetention) { self.retention = retention }

    /// Removes some occurrences above the limits, given that an event was recorded at `time`. Returns whether there is
    /// more to remove.
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
        // Removes more than needed, so that this happens rarely, but no more than a caller may wait for.
        let wanted = excess + min(retention.maximumCount / 10, Self.roomMade)
        try forgetOldest(min(wanted, Self.step), connection)
        return isBehind || wanted > Self.step
    }

    /// Removes some of what callers left. Returns whether there is more to remove.
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
