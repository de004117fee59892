public import ConvertMobileRules
public import Foundation

/// Keeps the mobile rules' event history in an SQLite file, so that "shown once" outlives a restart.
///
/// ```swift
/// let history = try SQLiteEventHistory(file: URL(fileURLWithPath: "/var/lib/shop/history.sqlite"))
/// ```
///
/// **Sharing.** Any number of threads and of processes on one machine may use one file at once; what one has recorded, the
/// others find. A file on a network file system is not supported.
///
/// **Failure.** Every method throws `StorageError`, and has changed nothing then. A corrupt file is renamed to
/// `….corrupt-1` (or the next free number), reported, and replaced by an empty one.
///
/// **Cost.** On the caller's thread. A record takes some 50 µs, and one in 250 to a full history some milliseconds; a record
/// that finds occurrences too old deletes all of them at once. A look-up reads the event's occurrences within the window:
/// some microseconds, and up to half a microsecond for each. `convert-benchmarks H-record H-find-1 H-find-10000 H-full`
/// measures it on your disk. Calls wait for each other, and up to a second for another process.
public final class SQLiteEventHistory: EventHistory {
    private let file: StoreFile
    private let retention: EventHistoryRetention

    /// Occurrences for which room is made at once when the history is full.
    private static let roomMade = 250

    /// Opens the history, and makes the file and its folder if they are not there.
    ///
    /// - Parameters:
    ///   - file: the database file. It may also serve this machine's other SQLite stores.
    ///   - retention: how much is kept. Processes that share a file should agree on it; if not, the tightest limits hold.
    ///   - report: is told when the history healed itself, on any thread. By default it is printed to standard error.
    /// - Throws: `StorageError` if the file cannot be opened, or is not to be touched.
    public convenience init(
        file: URL, retention: EventHistoryRetention = EventHistoryRetention(),
        report: @escaping @Sendable (StoreDiagnostic) -> Void = StoreDiagnostic.printToStandardError
    ) throws {
        try self.init(file: file, retention: retention, options: StoreFile.Options(), report: report)
    }

    init(
        file: URL, retention: EventHistoryRetention, options: StoreFile.Options,
        report: @escaping @Sendable (StoreDiagnostic) -> Void
    ) throws {
        self.retention = retention
        self.file = try StoreFile(file, options: options, report: report)
    }

    /// Remembers one occurrence and applies the retention limits.
    /// - Throws: `StorageError` if it could not be stored.
    public func record(_ fingerprint: EventFingerprint, at time: Int64) throws {
        guard fingerprint != .none else { return }
        let retention = retention
        try file.perform { connection in
            try connection.transaction {
                try connection.statement("INSERT OR IGNORE INTO occurrences (fingerprint, time) VALUES (?, ?)")
                    .run(.integer(Int64(fingerprint.rawValue)), .integer(time))
                if connection.changeCount > 0 { try Self.apply(retention, at: time, connection) }
            }
        }
    }

    /// Returns how often the event happened within `window`, and its first and last time there.
    /// - Throws: `StorageError` if the store cannot be read.
    public func occurrences(
        of fingerprint: EventFingerprint, in window: ClosedRange<Int64>
    ) throws -> EventOccurrences {
        try file.perform { connection in
            let found = try connection.statement(
                """
                SELECT count(*), min(time), max(time) FROM occurrences
                    WHERE fingerprint = ? AND time BETWEEN ? AND ?
                """
            ).first(
                .integer(Int64(fingerprint.rawValue)), .integer(window.lowerBound), .integer(window.upperBound)
            ) { row in
                let first = row.integer(1)
                return EventOccurrences(
                    count: Int(row.integer(0)), times: row.isNull(1) ? nil : first...max(first, row.integer(2)))
            }
            return found ?? .none
        }
    }

    /// Forgets the event's occurrences within `window` and returns how many there were.
    /// - Throws: `StorageError` if the store could not be changed.
    @discardableResult
    public func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int {
        try file.perform { connection in
            try connection.transaction {
                try connection.statement("DELETE FROM occurrences WHERE fingerprint = ? AND time BETWEEN ? AND ?")
                    .run(
                        .integer(Int64(fingerprint.rawValue)), .integer(window.lowerBound), .integer(window.upperBound))
                return connection.changeCount
            }
        }
    }

    private static func apply(
        _ retention: EventHistoryRetention, at time: Int64, _ connection: Connection
    ) throws {
        if retention.maximumAge != nil {
            let oldest = try connection.integer("SELECT min(time) FROM occurrences")
            if let limit = retention.expiry(at: time, oldest: oldest) {
                try connection.statement("DELETE FROM occurrences WHERE time < ?").run(.integer(limit))
            }
        }
        let count = try connection.integer("SELECT count FROM occurrence_count")
        guard count > Int64(retention.maximumCount) else { return }
        // More than needed goes, so that this is rare, but no more than a caller may wait for.
        let excess = count - Int64(retention.maximumCount - min(retention.maximumCount / 10, Self.roomMade))
        try connection.statement(
            """
            DELETE FROM occurrences WHERE (fingerprint, time) IN
                (SELECT fingerprint, time FROM occurrences ORDER BY time LIMIT ?)
            """
        ).run(.integer(excess))
    }
}
