#if Postgres
public import ConvertLedgers
package import ConvertConcurrency
import ConvertStoreSupport
public import ConvertSwiftSDKCore
import Foundation

/// Keeps visitors and undelivered tracking events in a PostgreSQL database that the servers of a fleet share.
///
/// It needs PostgreSQL 13 or later. The first connection makes the tables in a schema of their own, or brings them up
/// to date. The user needs the right to do so once (`CREATE` on the database, or on the schema if it is there); later
/// `SELECT`, `INSERT`, `UPDATE` and `DELETE` on the tables and `USAGE` on the sequence are enough. An error names the
/// grant that is missing.
///
/// **What is promised.** An entry that ``commit(_:)`` has returned an outcome for is committed in the database. If the
/// server ends, by whatever means, another one delivers its events as soon as the lease is over, or at once after
/// ``close()``.
///
/// **Owners.** Each ledger object owns the events of its entries. A server that was stopped for longer than its lease,
/// and whose events another one has begun to take over, learns that from `LedgerError.ownerHasEnded`. A lease that is
/// over while no server takes over goes on with its next renewal.
///
/// **Availability.** Making a ledger connects to nothing, so a server starts though its database is gone. A database
/// that cannot be reached is tried again in growing intervals, of five seconds at most; meanwhile all methods throw at
/// once. `report` receives one diagnostic when the database cannot be used, and one when it can be again.
///
/// **Cost.** A commit takes two round trips for up to 512 entries, whose visitors are split among the connections. Each
/// connection has a thread of its own, and each of its calls a time limit of five seconds.
///
/// **Secrets.** The connection string goes to libpq and nowhere else. Errors and diagnostics name host, port and
/// database.
public final class PostgresLedger: Ledger {
    /// Entries that are worth a transaction of their own beside another one.
    private static let entriesOfALane = 64

    let pool: Pool
    let lease: Duration
    let retention: VisitorRetention
    let time: any TimeSource
    let ownership = Mutex(Ownership())
    /// Renews the lease until the ledger is closed, or gone.
    let renewal = Mutex<Task<Void, Never>?>(nil)

    /// A ledger in a database.
    ///
    /// - Parameters:
    ///   - connectionString: as libpq takes it, a URL or pairs (`host=… dbname=…`). TLS is what it says: with
    ///     `sslmode=verify-full` the server's certificate is checked.
    ///   - schema: the schema that has the tables: lowercase letters, digits and underscores.
    ///   - connections: how many connections the ledger opens, 1 to 100. If it gets fewer, it works with those.
    ///   - lease: how long after its last sign of life a server counts as ended; 1 second or more. It is renewed three
    ///     times as often.
    ///   - maximumVisitorDays: how long a visitor is kept after the last entry, in days, 1 to 1,000,000; `nil` for
    ///     ever.
    ///   - maximumVisitorCount: how many visitors are kept, at least 1; `nil` for all. Beyond that, the visitors whose
    ///     last entry is the oldest are deleted within an hour. Each server makes the database count up to 10,000
    ///     visitors more than this once an hour, and again for every 10,000 that it deletes.
    ///   - report: called when the database cannot be used, and when it can be again, on any thread. By default the SDK
    ///     that uses the ledger logs it; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the connection string or the schema's name cannot be read.
    public convenience init(
        _ connectionString: String, schema: String = "convert_stores", connections: Int = 3,
        lease: Duration = .seconds(30), maximumVisitorDays: Int? = nil, maximumVisitorCount: Int? = nil,
        report: (@Sendable (StoreDiagnostic) -> Void)? = nil
    ) throws {
        try self.init(
            connectionString, schema: schema, connections: connections, anyLease: max(lease, .seconds(1)),
            maximumVisitorDays: maximumVisitorDays, maximumVisitorCount: maximumVisitorCount, report: report)
    }

    /// A ledger whose lease may be shorter than a second, for tests.
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

    /// What is stored about a visitor, or `nil`.
    /// - Throws: `StorageError`.
    public func visitor(_ key: String) async throws -> VisitorState? {
        let record = try await perform { connection in
            try LedgerTable.record(VisitorKeys.stored([key], connection)[0], connection)
        }
        guard let record else { return nil }
        // One that cannot be read is replaced with the visitor's next change.
        return try? VisitorState(json: record)
    }

    /// Stores entries, each whole or not at all, and returns once they are safe.
    /// - Throws: `LedgerError.ownerHasEnded` if another server took over, `StorageError` if it is not known that all
    ///   are stored.
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

    /// The oldest undelivered events, in the order of their ids.
    /// - Throws: `StorageError`.
    public func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        let owner = try currentOwner()
        return try await perform { connection in
            try LedgerTable.events(of: owner, after: id, limit: max(1, limit), connection)
        }
    }

    /// Removes events of this object's owner.
    /// - Throws: `LedgerError.ownerHasEnded` if another server took over, `StorageError`.
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

    /// Removes a visitor and the visitor's undelivered events.
    /// - Throws: `StorageError`.
    public func forget(_ key: String) async throws {
        try await perform(.stores) { connection in
            try LedgerTable.forget(VisitorKeys.stored([key], connection)[0], connection)
        }
    }

    // MARK: Calls

    /// - Throws: `LedgerError.ownerHasEnded` before the first ``begin()``.
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
