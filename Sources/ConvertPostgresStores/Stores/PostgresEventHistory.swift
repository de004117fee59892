#if Postgres
package import ConvertConcurrency
public import ConvertMobileRules
import Foundation

/// Keeps the mobile rules' event history in a PostgreSQL database, so that "shown once" holds for all servers of a
/// fleet.
///
/// ```swift
/// let history = PostgresEventHistory(database)
/// ```
///
/// **Sharing.** Each server sees what the others have recorded. If several servers call ``recordIfNew(_:at:)`` for the
/// same event at once, one of them receives `true`: the database decides in one statement. An occurrence counts only
/// for later times, so keep the servers' clocks in sync: a server whose clock is behind still finds an event new that
/// another server has just recorded.
///
/// **Waiting.** The engine calls the history while it processes an event, on the caller's thread. Each call blocks that
/// thread for at most `patience`. A record that cannot be written by then waits in memory, counts in this server's
/// look-ups, and is written as soon as possible; if the process ends first, the record is lost. A record of
/// `recordIfNew(_:at:)` does not wait: it is dropped, and withdrawn if it may have been written. Up to 10,000 records
/// wait; `report` receives a diagnostic, and ``waitingRecordCount`` counts them. While the database cannot be reached,
/// look-ups fail at once.
///
/// **Failure.** Every method throws `StorageError`. A change may still be committed after `patience` is over. Then a
/// ``remove(_:in:)`` stays in effect; a ``recordIfNew(_:at:)`` is withdrawn once the database is usable, unless the
/// process ends first.
///
/// **Cost.** A round trip per call; concurrent records share one. Record only events that a rule looks up.
///
/// **Thread safety.** All methods can be called from any thread.
public final class PostgresEventHistory: EventHistory {
    /// The maximum number of records that wait in memory.
    static let waitingLimit = 10_000

    private struct State {
        var waiting = WaitingRecords()
        /// The last ticket whose record was sent to the database.
        var lastSent = 0
        /// Records that were given up or removed after they had been sent. They will be deleted from the database.
        var withdrawn: [WaitingRecords.Entry] = []
        /// Whether waiting records are being written.
        var isWriting = false
        var isReported = false
        var failures = 0
        var lastError: (any Error)?
        var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

        var hasWork: Bool { !waiting.entries.isEmpty || !withdrawn.isEmpty }

        /// Called when no caller waits for the record any more. Drops a record that must be new; others stay and are
        /// retried.
        mutating func giveUp(_ ticket: Int) {
            guard let entry = waiting.giveUp(ticket) else { return }
            takeBackIfSent(entry)
        }

        mutating func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) {
            for entry in waiting.entries where entry.fingerprint == fingerprint && window.contains(entry.time) {
                takeBackIfSent(entry)
            }
            waiting.remove(fingerprint, in: window)
        }

        private mutating func takeBackIfSent(_ entry: WaitingRecords.Entry) {
            if entry.ticket <= lastSent, withdrawn.count < waitingLimit { withdrawn.append(entry) }
        }

        /// The next records to send to the database.
        mutating func nextPortion(_ attempts: Int64) -> OccurrenceTable.Portion {
            let entries = Array(waiting.entries.prefix(WaitingRecords.portion))
            lastSent = max(lastSent, entries.last?.ticket ?? 0)
            return OccurrenceTable.Portion(
                entries: entries, withdrawn: Array(withdrawn.prefix(WaitingRecords.portion)), attempts: attempts)
        }
    }

    /// Distinguishes this history's `recordIfNew` attempts from the attempts of other histories.
    private let attempts = Int64.random(in: 1...(.max / 2))
    private let pool: Pool
    private let patience: Duration
    private let cleaning: OccurrenceCleaning
    private let state = Mutex(State())
    /// Signaled after each attempt to write a portion. Its lock is taken before the lock of the state.
    private let step = NSCondition()
    private let retries = DispatchQueue(label: "ConvertPostgresStores.retries")

    /// Creates a history in `database`, without connecting.
    ///
    /// - Parameters:
    ///   - database: the database.
    ///   - retention: the limits of what is kept. All servers should use the same limits; otherwise the tightest ones
    ///     apply.
    ///   - patience: how long a call blocks its thread for the database, at most. Negative values become 0.
    public init(
        _ database: PostgresDatabase, retention: EventHistoryRetention = EventHistoryRetention(),
        patience: Duration = .milliseconds(500)
    ) {
        pool = database.pool
        self.patience = patience.bounded
        cleaning = OccurrenceCleaning(retention)
    }

    deinit {
        let lost = waitingRecordCount
        if lost > 0 { pool.reportLater(.recordsLost(path: pool.address.name, count: lost)) }
    }

    /// The number of records in memory that have not been written yet.
    public var waitingRecordCount: Int { state.withLock { $0.waiting.entries.count } }

    /// Records one occurrence. If it cannot be written now, it waits in memory.
    /// `EventFingerprint.none` is ignored.
    /// - Throws: `StorageError` with `full` if 10,000 records wait already.
    public func record(_ fingerprint: EventFingerprint, at time: Int64) throws {
        guard fingerprint != .none else { return }
        if case .waits(let ticket) = try begin(fingerprint, at: time, onlyIfNew: false) { _ = finish([ticket]) }
    }

    /// Records one occurrence if the event did not happen earlier, between 1970 and `time`. This is atomic for all
    /// servers.
    /// - Returns: whether the occurrence was new; `true` for `EventFingerprint.none`.
    /// - Throws: `StorageError` if that cannot be determined. Then nothing is recorded, or the record is withdrawn.
    public func recordIfNew(_ fingerprint: EventFingerprint, at time: Int64) throws -> Bool {
        guard fingerprint != .none else { return true }
        switch try begin(fingerprint, at: time, onlyIfNew: true) {
        case .isWritten(let isNew): return isNew
        case .waits(let ticket): return try finish([ticket])[0].get()
        }
    }

    /// Returns how often the event happened within `window`, and its first and last time in it.
    /// - Throws: `StorageError` if the database cannot be read within `patience`.
    public func occurrences(
        of fingerprint: EventFingerprint, in window: ClosedRange<Int64>
    ) throws -> EventOccurrences {
        // Read before the database: a record that is written in between is then counted once, not missed.
        let waiting = state.withLock { $0.waiting.times(of: fingerprint, in: window) }
        return try pool.performBlocking(within: patience) { connection in
            try OccurrenceTable.find(fingerprint, in: window, beside: waiting, connection)
        }
    }

    /// Removes the event's occurrences within `window`, and returns how many there were. The number may be too low if
    /// the statement was repeated because its answer was lost.
    /// - Throws: `StorageError` if the database could not be changed within `patience`. The change may still happen
    ///   later.
    @discardableResult
    public func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int {
        let waiting = state.withLock { $0.waiting.times(of: fingerprint, in: window) }
        let count = try pool.performBlocking(within: patience, .stores) { connection in
            try OccurrenceTable.remove(fingerprint, in: window, beside: waiting, connection)
        }
        state.withLock { $0.remove(fingerprint, in: window) }
        write()
        return count
    }
}

/// `begin` does not wait for the database; `finish` does.
extension PostgresEventHistory: DeferringEventHistory {
    package func begin(
        _ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool
    ) throws -> RecordProgress {
        let ticket = try state.withLock { state throws(StorageError) in
            guard state.waiting.entries.count < Self.waitingLimit else {
                throw StorageError(.full, path: pool.address.name)
            }
            let ticket = state.waiting.add(fingerprint, at: time, onlyIfNew: onlyIfNew)
            // A record with `onlyIfNew` does not count in look-ups before it is known to be new.
            if !onlyIfNew { state.waiting.count(ticket) }
            return ticket
        }
        write()
        return .waits(ticket)
    }

    package func finish(_ tickets: [Int]) -> [Result<Bool, any Error>] {
        let end = Date() + patience / .seconds(1)
        step.withLock {
            while state.withLock({ state in state.isWriting && tickets.contains { state.waiting.isWaiting($0) } }),
                step.wait(until: end)
            {}
        }
        let outcomes = state.withLock { state in
            tickets.map { ticket -> Result<Bool, any Error> in
                if let isNew = state.waiting.takeOutcome(of: ticket) { return .success(isNew) }
                state.giveUp(ticket)
                return .failure(state.lastError ?? StorageError(.timedOut, path: pool.address.name))
            }
        }
        write()
        return outcomes
    }

    /// Writes waiting records, unless another thread is writing. Not in a task: waiting callers may block all threads
    /// of the task pool.
    private func write() {
        let isNeeded = state.withLock { state in
            if state.isWriting || state.waiting.isRetrying || !state.hasWork { return false }
            state.isWriting = true
            return true
        }
        if isNeeded { writePortion() }
    }

    private func writePortion() {
        let hasWork = state.withLock { state in
            if !state.hasWork { state.isWriting = false }
            return state.hasWork
        }
        if !hasWork { return }
        pool.submit(.stores) { [self] connection in
            // From here on, a record that is given up counts as sent.
            let portion = state.withLock { $0.nextPortion(attempts) }
            return (portion, try OccurrenceTable.write(portion, connection))
        } completion: { [self] result in
            switch result {
            case .success((let portion, let outcomes)): didWrite(portion, outcomes)
            case .failure(let error): pause(after: error)
            }
        }
    }

    private func didWrite(_ portion: OccurrenceTable.Portion, _ outcomes: [Bool]) {
        state.withLock { state in
            state.waiting.finish(portion.entries, with: outcomes)
            state.withdrawn.removeFirst(portion.withdrawn.count)
            state.lastError = nil
            state.failures = 0
            state.isReported = false
        }
        step.withLock { step.broadcast() }
        if let last = portion.entries.last, cleaning.isDue(after: portion.entries.count) {
            pool.submit(.stores, { [cleaning] in try cleaning.clean(after: last.time, $0) }) { _ in }
        }
        writePortion()
    }

    private func pause(after error: any Error) {
        let (isNews, delay) = state.withLock { state in
            state.lastError = error
            state.isWriting = false
            state.waiting.isRetrying = true
            state.failures += 1
            defer { state.isReported = true }
            return (!state.isReported, pool.options.backoff.delay(after: state.failures, using: &state.generator))
        }
        step.withLock { step.broadcast() }
        if isNews { pool.reportLater(.recordsWaiting(path: pool.address.name)) }
        retries.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: Int64(delay / .nanoseconds(1))))) {
            [weak self] in
            self?.state.withLock { $0.waiting.isRetrying = false }
            self?.write()
        }
    }
}

extension PostgresEventHistory: ReportSource {
    package func report(to log: @escaping @Sendable (Report) -> Void) { pool.reports.report(to: log) }
}
#endif
