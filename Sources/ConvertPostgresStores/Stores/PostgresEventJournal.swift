#if Postgres
package import ConvertConcurrency
import ConvertStoreSupport
public import ConvertSwiftSDK
public import Foundation

/// Keeps accepted tracking events in a PostgreSQL database until they are delivered, and takes over those of servers of the
/// fleet that have ended.
///
/// ```swift
/// configuration.journal = PostgresEventJournal(database)
/// ```
///
/// **What is promised.** What `append` has returned for is committed in the database. If the server that appended it ends, by
/// whatever means, another one delivers it, as soon as the lease has run out.
///
/// **Owners.** Each journal owns what it appended, for as long as it renews its lease in time, by the database's clock. One
/// that was stopped for longer and goes on delivers from memory what another has taken over by then: an event may arrive
/// twice. Any number of journals may use one database.
///
/// **Goals.** A visitor's goal counts once for all servers: the first call whose events are committed counts it, others are
/// given up as `RejectionReason.countedElsewhere`. While the database cannot be used events wait in memory, and are
/// delivered from there, so that two servers may count one goal then.
///
/// **Waiting.** `append` blocks its caller while the database commits, for as long as `patience` at most; calls that come
/// meanwhile wait with it. Then, or if the database cannot be used, it throws `StorageError`, and the SDK keeps events in
/// memory and offers them again; no call waits until that has succeeded. What was committed too late is taken back.
///
/// **Cost.** One round trip and one commit for all calls that track at the same time.
public final class PostgresEventJournal: EventJournal {
    private struct State {
        /// The number under which this journal owns rows, once it has one.
        var owner: Int64?
        /// Ids that were not given yet.
        var ids: Range<Int64> = 0..<0
        /// Rows that were taken for missing, and may be there.
        var withdrawn: Set<Int64> = []
        /// Rows that were taken back and may yet arrive over a network that stood still, with the time until when.
        var doubtful: [Int64: Duration] = [:]
        /// Rows that were taken over and returned, until they are removed.
        var takenOver: Set<Int64> = []
        /// When the lease was renewed last, and from when on rows of others may be taken over.
        var renewalTime: Duration?
        var takeoverTime: Duration?
        /// Whether more may have been taken over: a commit whose answer is lost, or came too late.
        var mayHaveTaken = false

        mutating func didTake(_ events: [JournaledEvent], isEnd: Bool) {
            takenOver.formUnion(events.map(\.id))
            if isEnd { mayHaveTaken = false }
        }

        /// Takes note of a renewal that began at `time`. Where others could not renew either, because the database was away for
        /// longer than a lease, they get as long to do so before anybody takes them for ended.
        mutating func didRenew(at time: Duration, lease: Duration) {
            if let renewalTime, time - renewalTime >= lease { takeoverTime = time + lease }
            renewalTime = max(time, renewalTime ?? time)
        }
    }

    /// What a call of ``append(_:)`` and the thread that makes it have in common.
    private final class Attempt: Sendable {
        struct State {
            /// Of each call, once they were given.
            var ids: [[Int64]]?
            var isGivenUp = false
        }

        let state = Mutex(State())
    }

    /// Rows that one statement removes.
    private static let portion = 1000
    /// Owners without rows that are passed over at once.
    private static let ownersAtOnce = 20
    /// How long what was sent over a connection that was given up may yet arrive.
    private static let longestDelay = Duration.seconds(120)

    package let takeoverInterval: Duration
    private let lease: Duration
    private let patience: Duration
    private let time: any TimeSource
    /// One connection, so that rows are appended and taken back in the order in which that was asked for.
    private let appends: Pool
    private let pool: Pool
    private let state = Mutex(State())
    private let renewal = Mutex<Task<Void, Never>?>(nil)

    /// A journal in `database`.
    ///
    /// - Parameters:
    ///   - database: the database.
    ///   - lease: how long after its last sign of life a server counts as ended; 1 second or more. It is renewed three times as
    ///     often.
    ///   - patience: how long a call that tracks waits for the database.
    public convenience init(
        _ database: PostgresDatabase, lease: Duration = .seconds(15), patience: Duration = .milliseconds(500)
    ) {
        self.init(database, lease: max(lease, .seconds(1)), patience: patience, time: SystemTime())
    }

    init(_ database: PostgresDatabase, lease: Duration, patience: Duration, time: any TimeSource) {
        let lease = lease.bounded
        self.lease = lease
        self.patience = patience.bounded
        self.time = time
        takeoverInterval = lease / 3
        pool = database.pool
        var options = pool.options
        options.size = 1
        appends = Pool(pool.address, schema: pool.schema, options: options, reports: pool.reports)
        let interval = lease / 3
        renewal.withLock {
            $0 = Task { [weak self] in
                while (try? await time.sleep(until: time.now + interval)) != nil {
                    guard let self else { return }
                    try? await renew()
                }
            }
        }
    }

    deinit {
        renewal.withLock { $0 }?.cancel()
        guard let owner = state.withLock({ $0.owner }) else { return }
        // Others need not wait for the lease to end. It is the last thing that this connection is asked for.
        let appends = appends
        Task { try? await appends.perform(isWrite: true) { _ = try $0.run(EventTable.release(owner)) } }
    }

    /// Appends events in order, all of them or none.
    ///
    /// Safe to call from any thread.
    /// - Returns: one id per record, in order.
    /// - Throws: `StorageError` if nothing was appended.
    public func append(_ records: [Data]) throws -> [Int64] {
        if records.isEmpty { return [] }
        return try append([JournalCall(rows: records)]).flatMap { $0 ?? [] }
    }

    /// The oldest events of this journal's own whose id is above `id`, in order; at most `limit`.
    /// - Throws: `StorageError` if they cannot be read.
    public func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        // Who has appended nothing has left nothing.
        guard let owner = state.withLock({ $0.owner }) else { return [] }
        return try await pool.perform {
            try EventTable.events(of: owner, after: id, limit: max(1, limit), $0)
        }
    }

    /// Forgets events. Ids that are not there are ignored.
    /// - Throws: `StorageError` if not all of them were removed; of many, the first ones may be.
    public func remove(_ ids: [Int64]) async throws {
        guard let owner = state.withLock({ $0.owner }) else { return }
        for portion in Self.portions(of: ids) {
            try await pool.perform(isWrite: true) { _ = try $0.run(EventTable.remove(portion, of: owner)) }
            state.withLock { $0.takenOver.subtract(portion) }
        }
    }

    // MARK: Appending

    private func write(
        _ calls: [JournalCall], _ attempt: Attempt, _ connection: Connection
    ) throws -> [[Int64]?] {
        try withdraw(connection)
        let owner = try owner(connection)
        guard let ids = try ids(for: calls, attempt, owner, connection) else {
            throw StorageError(.timedOut, path: connection.name)
        }
        let entries = zip(calls, ids).map { EventTable.Entry(call: $0, ids: $1) }
        let found = try write(entries, owner, connection)
        return ids.map { ids in ids.allSatisfy { found.contains($0) } ? ids : nil }
    }

    private func write(
        _ entries: [EventTable.Entry], _ owner: Int64, _ connection: Connection
    ) throws -> Set<Int64> {
        do {
            return try EventTable.append(entries, owner: owner, connection)
        } catch {
            guard error.sqlState == "23503" else { throw error }
            // Others have taken this owner for one that has ended, and forgot it.
            _ = try connection.run(EventTable.renew(owner, lease: lease))
            return try EventTable.append(entries, owner: owner, connection)
        }
    }

    /// The ids of the calls' rows, the same ones if the attempt is made again; `nil` if it was given up.
    private func ids(
        for calls: [JournalCall], _ attempt: Attempt, _ owner: Int64, _ connection: Connection
    ) throws(StorageError) -> [[Int64]]? {
        let (given, isGivenUp) = attempt.state.withLock { ($0.ids, $0.isGivenUp) }
        if isGivenUp { return nil }
        if let given { return given }
        var reserved = state.withLock { $0.ids }
        var ids: [[Int64]] = []
        for call in calls {
            var callIDs: [Int64] = []
            while callIDs.count < call.rows.count {
                if reserved.isEmpty {
                    reserved = try EventTable.newIDs(for: owner, lease: lease, connection)
                }
                let taken = reserved.prefix(call.rows.count - callIDs.count)
                callIDs += taken
                reserved = taken.upperBound..<reserved.upperBound
            }
            ids.append(callIDs)
        }
        state.withLock { $0.ids = reserved }
        return attempt.state.withLock { attempt in
            attempt.ids = ids
            return attempt.isGivenUp ? nil : ids
        }
    }

    /// Takes note that nobody will know of the attempt's rows.
    private func giveUp(_ attempt: Attempt) {
        let ids = attempt.state.withLock { attempt in
            attempt.isGivenUp = true
            return attempt.ids ?? []
        }
        if ids.isEmpty { return }
        state.withLock { $0.withdrawn.formUnion(ids.joined()) }
        // Behind the attempt, which may be under way.
        Task { [weak self, appends] in
            try? await appends.perform(isWrite: true) { [weak self] connection in try self?.withdraw(connection) }
        }
    }

    private func withdraw(_ connection: Connection) throws(StorageError) {
        let (owner, ids) = state.withLock { ($0.owner, $0.withdrawn) }
        guard let owner, !ids.isEmpty else { return }
        for portion in Self.portions(of: Array(ids)) {
            try EventTable.withdraw(portion, of: owner, connection)
            let end = time.now + Self.longestDelay
            state.withLock { state in
                state.withdrawn.subtract(portion)
                for id in portion { state.doubtful[id] = end }
            }
        }
    }

    /// Parts of which each is little work for one statement.
    private static func portions(of ids: [Int64]) -> [[Int64]] {
        stride(from: 0, to: ids.count, by: portion).map { Array(ids[$0..<min($0 + portion, ids.count)]) }
    }

    private func owner(_ connection: Connection) throws(StorageError) -> Int64 {
        if let owner = state.withLock({ $0.owner }) { return owner }
        let owner = try EventTable.newOwner(connection)
        let now = time.now
        _ = try connection.run(EventTable.renew(owner, lease: lease))
        state.withLock { state in
            state.owner = owner
            state.didRenew(at: now, lease: lease)
        }
        return owner
    }

    /// Says that this process lives, and takes back what is to be.
    func renew() async throws {
        guard let owner = state.withLock({ $0.owner }) else { return }
        let lease = lease
        let now = time.now
        // Their goals stay claimed, perhaps by the rows that took their place.
        let doubtful = state.withLock { $0.doubtful }
        let renew: @Sendable (Connection) throws -> Void = { connection in
            _ = try connection.run(EventTable.renew(owner, lease: lease))
            for portion in Self.portions(of: Array(doubtful.keys)) {
                _ = try connection.run(EventTable.remove(portion, of: owner))
            }
        }
        do {
            // The line for the other connections may be longer than the lease.
            try await appends.perform(isWrite: true, renew)
        } catch {
            try await pool.perform(isWrite: true, renew)
        }
        state.withLock { state in
            state.didRenew(at: now, lease: lease)
            for (id, end) in doubtful where end <= now { state.doubtful[id] = nil }
        }
        guard state.withLock({ !$0.withdrawn.isEmpty }) else { return }
        try await appends.perform(isWrite: true) { [weak self] connection in try self?.withdraw(connection) }
    }
}

extension PostgresEventJournal: SharedEventJournal {
    package func append(_ calls: [JournalCall]) throws -> [[Int64]?] {
        let attempt = Attempt()
        do {
            return try appends.performBlocking(within: patience, isWrite: true) { connection in
                try self.write(calls, attempt, connection)
            }
        } catch {
            giveUp(attempt)
            throw error
        }
    }

    package func takeOver(_ limit: Int) async throws -> [JournaledEvent] {
        let owner = try await appends.perform(isWrite: true) { try self.owner($0) }
        let now = time.now
        let taken = try await pool.perform(isWrite: true) { connection in
            _ = try connection.run(EventTable.renew(owner, lease: self.lease))
            let isEarly = self.state.withLock { state in
                state.didRenew(at: now, lease: self.lease)
                return state.takeoverTime.map { now < $0 } ?? false
            }
            return isEarly ? [] : try self.takeOver(max(1, limit), by: owner, connection)
        }
        if Task.isCancelled {
            // Nobody waits for them any more: the next call returns them.
            state.withLock { state in
                state.takenOver.subtract(taken.map(\.id))
                state.mayHaveTaken = true
            }
            throw CancellationError()
        }
        if !taken.isEmpty { pool.reportLater(.eventsTakenOver(path: pool.address.name, count: taken.count)) }
        return taken
    }

    private func takeOver(_ limit: Int, by owner: Int64, _ connection: Connection) throws -> [JournaledEvent] {
        let (mayHaveTaken, known) = state.withLock { ($0.mayHaveTaken, $0.takenOver) }
        if mayHaveTaken {
            let taken = try EventTable.takenOver(by: owner, but: Array(known), limit: limit, connection)
            state.withLock { $0.didTake(taken, isEnd: taken.count < limit) }
            if !taken.isEmpty { return taken }
        }
        // Of some nothing may be left, or nothing that is not just being removed.
        for _ in 0..<Self.ownersAtOnce {
            state.withLock { $0.mayHaveTaken = true }
            let taken = try EventTable.takeOver(limit, by: owner, connection)
            state.withLock { $0.didTake(taken ?? [], isEnd: true) }
            guard let taken else { break }
            if !taken.isEmpty { return taken }
        }
        return []
    }
}

extension PostgresEventJournal: ReportSource {
    package func report(to log: @escaping @Sendable (Report) -> Void) { pool.reports.report(to: log) }
}
#endif
