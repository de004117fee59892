#if Postgres
package import ConvertConcurrency
import ConvertStoreSupport
public import ConvertSwiftSDK
public import ConvertSwiftSDKCore
import Foundation

/// Keeps visitors and undelivered tracking events in a PostgreSQL database that the servers of a fleet share.
///
/// It needs PostgreSQL 13 or later. The first connection makes the tables in a schema of their own, or brings them up to date.
/// The user needs the right to do so once (`CREATE` on the database, or on the schema if it is there); later `SELECT`, `INSERT`,
/// `UPDATE` and `DELETE` on the tables and `USAGE` on the sequence are enough. An error names the grant that is missing.
///
/// **What is promised.** An entry that ``commit(_:)`` has returned an outcome for is committed in the database. If the server
/// ends, by whatever means, another one delivers its events as soon as the lease is over, or at once after ``close()``.
///
/// **Owners.** Each ledger object owns the events of its entries. A server that was stopped for longer than its lease, and
/// whose events another one has begun to take over, learns that from ``LedgerError/ownerHasEnded``. A lease that is over
/// while no server takes over goes on with its next renewal.
///
/// **Availability.** Making a ledger connects to nothing, so a server starts though its database is gone. A database that
/// cannot be reached is tried again in growing intervals, of five seconds at most; meanwhile all methods throw at once.
/// `report` receives one diagnostic when the database cannot be used, and one when it can be again.
///
/// **Cost.** A commit takes two round trips for up to 512 entries, whose visitors are split among the connections. Each
/// connection has a thread of its own, and each of its calls a time limit of five seconds.
///
/// **Secrets.** The connection string goes to libpq and nowhere else. Errors and diagnostics name host, port and database.
public final class PostgresLedger: Ledger {
    /// Entries that are worth a transaction of their own beside another one.
    private static let entriesOfALane = 64
    /// Owners without events that one call of ``takeOver(_:)`` passes over.
    private static let ownersAtOnce = 20

    let pool: Pool
    private let lease: Duration
    private let retention: VisitorRetention
    private let time: any TimeSource
    private let ownership = Mutex(Ownership())
    /// Renews the lease until the ledger is closed, or gone.
    private let renewal = Mutex<Task<Void, Never>?>(nil)

    /// A ledger in a database.
    ///
    /// - Parameters:
    ///   - connectionString: as libpq takes it, a URL or pairs (`host=… dbname=…`). TLS is what it says: with
    ///     `sslmode=verify-full` the server's certificate is checked.
    ///   - schema: the schema that has the tables: lowercase letters, digits and underscores.
    ///   - connections: how many connections the ledger opens, 1 to 100. If it gets fewer, it works with those.
    ///   - lease: how long after its last sign of life a server counts as ended; 1 second or more. It is renewed three times
    ///     as often.
    ///   - maximumVisitorDays: visitors who were not saved for more days than this are deleted; `nil` keeps them.
    ///   - maximumVisitorCount: the most visitors that are kept; those beyond who were saved longest ago are deleted within an
    ///     hour. `nil` keeps all. It makes the database count its visitors once an hour.
    ///   - report: called when the database cannot be used, and when it can be again, on any thread. By default the SDK
    ///     that uses the ledger logs it; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the connection string or the schema's name cannot be read.
    public convenience init(
        _ connectionString: String, schema: String = "convert_ledger", connections: Int = 3,
        lease: Duration = .seconds(30), maximumVisitorDays: Int? = nil, maximumVisitorCount: Int? = nil,
        report: (@Sendable (StoreDiagnostic) -> Void)? = nil
    ) throws {
        var options = Pool.Options()
        options.size = min(max(1, connections), 100)
        try self.init(
            Pool(
                DatabaseAddress(connectionString), schema: Schema(schema, steps: Schema.ledgerSteps), options: options,
                reports: StoreReports(report)),
            lease: max(lease, .seconds(1)),
            retention: VisitorRetention(days: maximumVisitorDays, count: maximumVisitorCount), time: SystemTime())
    }

    init(_ pool: Pool, lease: Duration, retention: VisitorRetention = VisitorRetention(), time: any TimeSource) {
        self.pool = pool
        self.lease = lease.bounded
        self.retention = retention
        self.time = time
    }

    deinit { renewal.withLock { $0 }?.cancel() }

    // MARK: The owner

    /// `true`.
    public var isShared: Bool { true }

    /// A third of the lease.
    public var takeoverInterval: Duration? { lease / 3 }

    /// Begins another owner, and moves what is left of the one before to it.
    /// - Throws: `StorageError`.
    public func begin() async throws -> UInt32 {
        let lease = lease
        let start = time.now
        let owner = try await perform(isWrite: true) { try LeaseTable.begin(lease, $0) }
        let formers = ownership.withLock { ownership in
            ownership.didBegin(owner, at: start, lease: lease)
            return ownership.formers
        }
        startRenewing()
        for former in formers {
            let isIntact = try await perform(isWrite: true) { try LeaseTable.succeed(former, by: owner, lease, $0) }
            ownership.withLock { $0.didSucceed(former, isIntact: isIntact) }
        }
        return UInt32(clamping: owner)
    }

    private func startRenewing() {
        let (time, interval) = (time, max(lease / 3, .milliseconds(1)))
        let task = Task { [weak self] in
            while (try? await time.sleep(until: time.now + interval)) != nil {
                guard let self else { return }
                try? await renew()
                try? await deleteOldVisitors()
            }
        }
        renewal.withLock { renewal in
            renewal?.cancel()
            renewal = task
        }
    }

    /// Extends the lease, unless this object's owner has ended: its next call learns that.
    func renew() async throws {
        let (owner, lease, start) = (try currentOwner(), lease, time.now)
        let isAlive = try await perform(isWrite: true) { try $0.run(LeaseTable.renew(owner, lease)).count == 1 }
        if isAlive { ownership.withLock { $0.didRenew(at: start, lease: lease) } }
    }

    private func deleteOldVisitors() async throws {
        let now = time.now
        let isDue = ownership.withLock { ownership in
            if let time = ownership.cleaningTime, now < time { return false }
            ownership.cleaningTime = now + VisitorRetention.interval
            return true
        }
        let retention = retention
        if isDue { try await perform(isWrite: true) { try retention.apply($0) } }
    }

    /// Which of the events are still this object's to send.
    /// - Throws: ``LedgerError/ownerHasEnded`` if another server took over, `StorageError` if that is not known.
    public func owned(_ ids: [EventID]) async throws -> [EventID] {
        let (owner, lease, start) = (try currentOwner(), lease, time.now)
        if ownership.withLock({ $0.surelyOwns(ids, at: start) }) { return ids }
        let numbers = ids.map(\.rawValue)
        let owned = try await perform(isWrite: true) { connection in
            let rows = try connection.run([LeaseTable.renew(owner, lease), LedgerTable.find(numbers)])
            guard rows[0].count == 1 else { throw LedgerError.ownerHasEnded }
            return Set(LedgerTable.events(in: rows[1], of: owner).map(\.id))
        }
        ownership.withLock { $0.didRenew(at: start, lease: lease) }
        return ids.filter { owned.contains($0) }
    }

    /// Takes over events of a server whose lease has ended.
    /// - Throws: `StorageError`.
    public func takeOver(_ limit: Int) async throws -> [StoredEvent] {
        let (owner, limit, start) = (try currentOwner(), max(1, limit), time.now)
        let taken = try await perform(isWrite: true) { try self.takeOver(limit, by: owner, at: start, $0) }
        if !taken.isEmpty { pool.reportLater(.eventsTakenOver(path: pool.address.name, count: taken.count)) }
        return taken
    }

    private func takeOver(
        _ limit: Int, by owner: Int64, at time: Duration, _ connection: Connection
    ) throws -> [StoredEvent] {
        let (unsure, isPatient) = ownership.withLock { ($0.unsure, $0.isPatient(at: time)) }
        if !unsure.isEmpty {
            let rows = try connection.run(LedgerTable.find(Array(unsure)))
            let existing = LedgerTable.events(in: rows).map(\.id.rawValue)
            ownership.withLock { $0.unsure.subtract(unsure.subtracting(existing)) }
            let taken = Array(LedgerTable.events(in: rows, of: owner).prefix(limit))
            if !taken.isEmpty { return didTake(taken) }
        }
        // Of some owners nothing may be left.
        for _ in 0..<Self.ownersAtOnce {
            let taken = try LeaseTable.takeOver(
                limit, by: owner, onlyReleased: isPatient, connection,
                willTake: { events in ownership.withLock { $0.unsure.formUnion(events.map(\.id.rawValue)) } })
            guard let taken else { break }
            if !taken.isEmpty { return didTake(taken) }
        }
        return []
    }

    private func didTake(_ events: [StoredEvent]) -> [StoredEvent] {
        ownership.withLock { $0.unsure.subtract(events.map(\.id.rawValue)) }
        return events
    }

    /// Ends the lease, so that other servers take over at once, and closes the connections.
    public func close() async {
        let owner = ownership.withLock { ownership -> Int64? in
            defer { ownership.isClosed = true }
            return ownership.isClosed ? nil : ownership.owner
        }
        renewal.withLock { $0 }?.cancel()
        if let owner { try? await pool.perform(isWrite: true) { _ = try $0.run(LeaseTable.release(owner)) } }
        await pool.close()
    }

    // MARK: Visitors and events

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
    /// - Throws: ``LedgerError/ownerHasEnded`` if another server took over, `StorageError` if it is not known that all are stored.
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
        let (outcomes, mendedCount) = try await perform(isWrite: true) { connection in
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
            try LedgerTable.events(of: owner, after: id?.rawValue ?? .min, limit: max(1, limit), connection)
        }
    }

    /// Removes events of this object's owner.
    /// - Throws: ``LedgerError/ownerHasEnded`` if another server took over, `StorageError`.
    public func remove(_ ids: [EventID]) async throws {
        let owner = try currentOwner()
        if ids.isEmpty { return }
        let numbers = ids.map(\.rawValue)
        try await perform(isWrite: true) { connection in
            let rows = try connection.run([LeaseTable.hold(owner), LedgerTable.remove(numbers, of: owner)])
            guard rows[0].count == 1 else { throw LedgerError.ownerHasEnded }
        }
        ownership.withLock { $0.unsure.subtract(numbers) }
    }

    /// Removes a visitor and the visitor's undelivered events.
    /// - Throws: `StorageError`.
    public func forget(_ key: String) async throws {
        try await perform(isWrite: true) { connection in
            try LedgerTable.forget(VisitorKeys.stored([key], connection)[0], connection)
        }
    }

    // MARK: Calls

    /// - Throws: `LedgerError.ownerHasEnded` before the first ``begin()``.
    private func currentOwner() throws -> Int64 {
        let (owner, isClosed) = ownership.withLock { ($0.owner, $0.isClosed) }
        if isClosed { throw LedgerError.isClosed }
        guard let owner else { throw LedgerError.ownerHasEnded }
        return owner
    }

    private func perform<Result: Sendable>(
        isWrite: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        if ownership.withLock({ $0.isClosed }) { throw LedgerError.isClosed }
        return try await pool.perform(isWrite: isWrite, body)
    }
}

extension PostgresLedger: ReportSource {
    package func report(to log: @escaping @Sendable (Report) -> Void) { pool.reports.report(to: log) }
}
#endif
