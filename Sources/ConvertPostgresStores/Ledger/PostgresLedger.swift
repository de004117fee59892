#if Postgres
public import ConvertLedgers
package import ConvertConcurrency
public import ConvertSwiftSDKCore
import Foundation

/// Keeps visitors and undelivered tracking events in a PostgreSQL database that the servers of a fleet share.
///
/// PostgreSQL 13 or later is required. The first connection of any process creates the tables in a schema of their own,
/// or migrates them. For that the user needs the right `CREATE` on the database, or on the schema if it exists.
/// Afterwards, `SELECT`, `INSERT`, `UPDATE` and `DELETE` on the tables and `USAGE` on the sequence are enough. An error
/// names the missing grant.
///
/// **Durability.** Once ``commit(_:)`` has returned an entry's outcome, the entry is committed in the database. If the
/// server ends, for whatever reason, another server delivers its events: when the lease is over, or at once after
/// ``close()``.
///
/// **Owners.** Each ledger object owns the events of its entries. If a server stops for longer than its lease, another
/// server may take over its events; the first server then receives `LedgerError.ownerHasEnded`. If no server takes
/// over, the next renewal extends the expired lease.
///
/// **Availability.** Creating a ledger does not connect, so a server starts even if its database is down. If the
/// database cannot be reached, the ledger retries with backoff, at intervals of at most five seconds. Meanwhile all
/// methods throw at once. `report` receives one diagnostic when the database becomes unusable, and one when it is
/// usable again.
///
/// **Cost.** A commit takes two round trips for up to 512 entries. From 64 entries on, the visitors are split among the
/// connections. Each connection has a thread of its own. Each call on a connection has a time limit of five seconds.
///
/// **Secrets.** Only libpq receives the connection string. Errors and diagnostics name host, port and database.
public final class PostgresLedger: Ledger {
    /// A commit uses a further connection for each such number of entries.
    private static let entriesOfALane = 64

    let pool: Pool
    let lease: Duration
    let retention: VisitorRetention
    let time: any TimeSource
    let ownership = Mutex(Ownership())
    /// The task that renews the lease until the ledger is closed or deallocated.
    let renewal = Mutex<Task<Void, Never>?>(nil)

    /// Creates a ledger in a database, without connecting.
    ///
    /// - Parameters:
    ///   - connectionString: a URL or keyword pairs (`host=… dbname=…`), as libpq accepts them. It also configures TLS:
    ///     with `sslmode=verify-full` libpq verifies the server's certificate.
    ///   - schema: the schema of the tables: lowercase letters, digits and underscores, at most 63 characters, not
    ///     beginning with a digit or `pg_`.
    ///   - connections: the maximum number of connections of the ledger. Values outside 1 to 100 are clamped. If the
    ///     server allows fewer, the ledger works with fewer.
    ///   - lease: the time after its last renewal at which a server counts as ended. Values below 1 second become 1
    ///     second. The ledger renews it every third of this time.
    ///   - maximumVisitorDays: how many days a visitor is kept after the last entry; `nil` keeps visitors forever.
    ///     Values outside 1 to 1,000,000 are clamped.
    ///   - maximumVisitorCount: the maximum number of visitors; `nil` for no limit, values below 1 become 1. Above the
    ///     limit, the visitors with the oldest last entries are deleted within an hour. Each server makes the database
    ///     count up to 10,000 visitors more than the limit once an hour, and again for every 10,000 that it deletes.
    ///   - report: called on any thread when the database becomes unusable and when it is usable again. By default the
    ///     SDK that uses the ledger logs both; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the connection string or the schema's name is invalid.
    public convenience init(
        _ connectionString: String, schema: String = "convert_stores", connections: Int = 3,
        lease: Duration = .seconds(30), maximumVisitorDays: Int? = nil, maximumVisitorCount: Int? = nil,
        report: (@Sendable (StoreDiagnostic) -> Void)? = nil
    ) throws {
        try self.init(
            connectionString, schema: schema, connections: connections, anyLease: max(lease, .seconds(1)),
            maximumVisitorDays: maximumVisitorDays, maximumVisitorCount: maximumVisitorCount, report: report)
    }

    /// Creates a ledger whose lease may be shorter than a second, for tests.
    package convenience init(
        _ connectionString: String, schema: String, connections: Int = 3, anyLease lease: Duration,
        maximumVisitorDays: Int? = nil, maximumVisitorCount: Int? = nil,
        report: (@Sendable (StoreDiagnostic) -> Void)?
    ) throws {
        var options = Pool.Options()
        options.size = min(max(1, connections), 100)
        try self.init(
            Pool(
                DatabaseAddress(connectionString), schema: Schema(schema), options: options,
                reports: StoreReports(report)),
            lease: lease, retention: VisitorRetention(days: maximumVisitorDays, count: maximumVisitorCount),
            time: SystemTime())
    }

    init(_ pool: Pool, lease: Duration, retention: VisitorRetention = VisitorRetention(), time: any TimeSource) {
        self.pool = pool
        self.lease = lease.bounded
        self.retention = retention
        self.time = time
    }

    deinit { renewal.withLock { $0 }?.cancel() }

    /// The stored state of a visitor, or `nil`.
    /// - Throws: `StorageError`; `LedgerError.isClosed`.
    public func visitor(_ key: String) async throws -> VisitorState? {
        let record = try await perform { connection in
            try LedgerTable.record(VisitorKeys.stored([key], connection)[0], connection)
        }
        guard let record else { return nil }
        // The visitor's next change replaces an unreadable record.
        return try? VisitorState(json: record)
    }

    /// Stores entries, each whole or not at all, and returns their outcomes in order once they are committed.
    /// - Throws: `LedgerError.ownerHasEnded` if another server took over; `StorageError` if some entries may not be
    ///   stored.
    public func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
        let owner = try currentOwner()
        let laneCount = min(pool.options.size, 1 + entries.count / Self.entriesOfALane)
        let lanes = Dictionary(grouping: entries.indices) { index in
            Int(UInt(bitPattern: entries[index].visitor.hashValue) % UInt(laneCount))
        }
        return try await withThrowingTaskGroup(of: ([Int], [LedgerOutcome]).self) { group in
            for indices in lanes.values {
                group.addTask {
                    (indices, try await self.commit(indices.map { entries[$0] }, owner: owner))
                }
            }
            var outcomes: [(Int, LedgerOutcome)] = []
            for try await (indices, settled) in group { outcomes += zip(indices, settled) }
            return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func commit(_ entries: [LedgerEntry], owner: Int64) async throws -> [LedgerOutcome] {
        let (outcomes, mendedCount) = try await perform(.stores) { connection in
            try LedgerTable.commit(entries, owner: owner, connection)
        }
        if mendedCount > 0 {
            let what = "\(mendedCount) records of visitors that could not be read were replaced"
            pool.reportLater(.databaseMended(path: pool.address.name, what: what))
        }
        return outcomes
    }

    /// The oldest undelivered events of this object's owner, after the one with `id`, in the order of their ids.
    /// - Parameters:
    ///   - id: the event to continue after; `nil` begins with the oldest.
    ///   - limit: the maximum number of events. Values below 1 become 1.
    /// - Throws: `StorageError`; `LedgerError.ownerHasEnded` before the first ``begin()``.
    public func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        let owner = try currentOwner()
        return try await perform { connection in
            try LedgerTable.events(of: owner, after: id, limit: max(1, limit), connection)
        }
    }

    /// Removes the events with these ids, if they belong to this object's owner.
    /// - Throws: `LedgerError.ownerHasEnded` if another server took over; `StorageError`.
    public func remove(_ ids: [EventID]) async throws {
        let owner = try currentOwner()
        if ids.isEmpty { return }
        let numbers = ids.map(\.rawValue)
        try await perform(.changes) { connection in
            let rows = try connection.run([LeaseTable.hold(owner), LedgerTable.remove(numbers, of: owner)])
            guard rows[0].count == 1 else { throw LedgerError.ownerHasEnded }
        }
        ownership.withLock { $0.unsure.subtract(numbers) }
    }

    /// Removes a visitor and the visitor's undelivered events, of all owners.
    /// - Throws: `StorageError`; `LedgerError.isClosed`.
    public func forget(_ key: String) async throws {
        try await perform(.stores) { connection in
            try LedgerTable.forget(VisitorKeys.stored([key], connection)[0], connection)
        }
    }

    // MARK: Calls

    /// - Throws: `LedgerError.ownerHasEnded` before the first ``begin()``; `LedgerError.isClosed` after ``close()``.
    func currentOwner() throws -> Int64 {
        let (owner, isClosed) = ownership.withLock { ($0.owner, $0.isClosed) }
        if isClosed { throw LedgerError.isClosed }
        guard let owner else { throw LedgerError.ownerHasEnded }
        return owner
    }

    func perform<Result: Sendable>(
        _ effect: Pool.Effect = .reads, _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        if ownership.withLock({ $0.isClosed }) { throw LedgerError.isClosed }
        return try await pool.perform(effect, body)
    }
}

extension PostgresLedger: ReportSource {
    package func report(to log: @escaping @Sendable (Report) -> Void) { pool.reports.report(to: log) }
}
#endif
