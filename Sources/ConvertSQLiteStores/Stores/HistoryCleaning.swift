import ConvertConcurrency
import ConvertMobileRules

/// Applies an event history's retention limits in steps: a caller that records waits for one step at most.
final class HistoryCleaning: Sendable {
    /// The number of extra occurrences removed when the history is full.
    private static let roomMade = 250
    /// The maximum number of occurrences that one step removes.
    static let step = 256

    private let retention: EventHistoryRetention
    /// The time before which records must still be removed; `nil` if no such records are left.
    private let limit = Mutex<Int64?>(nil)

    init(_ retention: EventHistoryRetention) { self.retention = retention }

    /// Removes some occurrences above the limits. Returns whether there is more to remove.
    /// - Parameter time: the time of the event that was just recorded; `nil` continues what earlier calls left.
    func clean(after time: Int64?, _ connection: Connection) throws -> Bool {
        if let time, retention.maximumAge != nil {
            let oldest = try connection.integer("SELECT min(time) FROM occurrences")
            let previous =
                try connection.statement("SELECT time FROM occurrences ORDER BY time DESC LIMIT 1 OFFSET 1")
                .first { $0.integer(0) }
            let expiry = retention.expiry(at: time, oldest: oldest, newestBefore: previous ?? time)
            if let expiry, expiry > .min { limit.withLock { $0 = expiry } }
        }
        var isBehind = false
        if let limit = limit.withLock({ $0 }) {
            try forgetOldest(Self.step, through: limit - 1, connection)
            isBehind = connection.changeCount == Self.step
            if !isBehind { self.limit.withLock { $0 = $0 == limit ? nil : $0 } }
        }
        let excess = try OccurrenceTable.excess(over: retention.maximumCount, connection)
        guard excess > 0 else { return isBehind }
        // A record removes more than needed, so that this happens rarely, but no more than a caller may wait for.
        let wanted = excess + (time == nil ? 0 : min(retention.maximumCount / 10, Self.roomMade))
        try forgetOldest(min(wanted, Self.step), connection)
        return isBehind || wanted > Self.step
    }

    /// Removes some of what callers left. Returns whether there is more to remove.
    func step(_ connection: Connection) throws -> Bool {
        try connection.transaction { try clean(after: nil, connection) }
    }

    private func forgetOldest(_ count: Int, through time: Int64 = .max, _ connection: Connection) throws {
        try connection.statement(
            """
            DELETE FROM occurrences WHERE (fingerprint, time) IN
                (SELECT fingerprint, time FROM occurrences WHERE time <= ? ORDER BY time LIMIT ?)
            """
        ).run(.integer(time), .integer(Int64(count)))
    }
}
