#if Postgres
public import ConvertLedgers
import ConvertConcurrency

/// Owners, their leases, and takeovers.
extension PostgresLedger {
    /// The maximum number of owners without events that one call of ``takeOver(_:)`` skips.
    private static let ownersAtOnce = 20

    /// Always `true`: the servers of a fleet share the database.
    public var isShared: Bool { true }

    /// A third of the lease.
    public var takeoverInterval: Duration? { lease / 3 }

    /// Begins a new owner, and moves the remaining events of this object's earlier owners to it.
    /// - Returns: the owner's number.
    /// - Throws: `StorageError`; `LedgerError.isClosed`.
    public func begin() async throws -> UInt32 {
        let lease = lease
        let start = time.now
        let owner = try await perform(.changes) { try LeaseTable.begin(lease, $0) }
        let formers = ownership.withLock { ownership in
            ownership.didBegin(owner, at: start, lease: lease)
            return ownership.formers
        }
        startRenewing()
        for former in formers {
            let isIntact = try await perform(.changes) { try LeaseTable.succeed(former, by: owner, lease, $0) }
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
                // In a separate task, so that a long deletion does not delay renewals.
                if ownership.withLock({ $0.beginsCleaning(at: time.now) }) { Task { await self.deleteOldVisitors() } }
            }
        }
        renewal.withLock { renewal in
            renewal?.cancel()
            renewal = task
        }
    }

    /// Extends the lease. Does nothing if this object's owner has ended; its next call throws `ownerHasEnded`.
    func renew() async throws {
        let (owner, lease, start) = (try currentOwner(), lease, time.now)
        let isAlive = try await perform(.changes) { try $0.run(LeaseTable.renew(owner, lease)).count == 1 }
        if isAlive { ownership.withLock { $0.didRenew(owner, at: start, lease: lease) } }
    }

    private func deleteOldVisitors() async {
        let retention = retention
        while (try? await perform(.changes) { try retention.deleteSome($0) }) == true {}
    }

    /// Returns which of the events this object may still send. Takes no round trip while the lease is certain.
    /// - Throws: `LedgerError.ownerHasEnded` if another server took over; `StorageError` if the owner is unknown for
    ///   now.
    public func owned(_ ids: [EventID]) async throws -> [EventID] {
        let (owner, lease, start) = (try currentOwner(), lease, time.now)
        // The lease must also last while the request with the events is sent.
        let (isSure, isMoving) = ownership.withLock {
            ($0.surelyOwns(ids, at: start + lease / 3), !$0.formers.isEmpty)
        }
        if isSure { return ids }
        if isMoving { throw StorageError(.busy, path: pool.address.name) }
        let numbers = ids.map(\.rawValue)
        let owned = try await perform(.changes) { connection in
            let rows = try connection.run([LeaseTable.renew(owner, lease), LedgerTable.find(numbers)])
            guard rows[0].count == 1 else { throw LedgerError.ownerHasEnded }
            return Set(LedgerTable.events(in: rows[1], of: owner).map(\.id))
        }
        ownership.withLock { $0.didRenew(owner, at: start, lease: lease) }
        return ids.filter { owned.contains($0) }
    }

    /// Takes over up to `limit` events of a server whose lease has ended. Returns no events if there is no such server.
    /// - Throws: `StorageError`; `LedgerError.ownerHasEnded` if this object's owner has ended.
    public func takeOver(_ limit: Int) async throws -> [StoredEvent] {
        // Undelivered events of an earlier owner of this object are still in the process's memory.
        if ownership.withLock({ !$0.formers.isEmpty }) { return [] }
        let (owner, limit, start) = (try currentOwner(), max(1, limit), time.now)
        let taken = try await perform(.changes) { try self.takeOver(limit, by: owner, at: start, $0) }
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
        // Some owners have no events left.
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

    /// Ends the lease, so that other servers can take over at once, and closes the connections. Later calls throw
    /// `LedgerError.isClosed`.
    public func close() async {
        let owner = ownership.withLock { ownership -> Int64? in
            defer { ownership.isClosed = true }
            return ownership.isClosed ? nil : ownership.owner
        }
        renewal.withLock { $0 }?.cancel()
        if let owner { try? await pool.perform(.changes) { _ = try $0.run(LeaseTable.release(owner)) } }
        await pool.close()
    }
}
#endif
