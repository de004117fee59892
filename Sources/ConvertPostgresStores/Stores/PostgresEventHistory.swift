#if Postgres
package import ConvertConcurrency
public import ConvertMobileRules
import ConvertStoreSupport
import Foundation

/// Keeps the mobile rules' event history in a PostgreSQL database, so that "shown once" holds for all servers of a
/// fleet.
///
/// ```swift
/// let history = PostgresEventHistory(database)
/// ```
///
/// **Sharing.** What one server has recorded, the others find. Of several that record the same event with
/// ``recordIfNew(_:at:)`` at once, one gets the answer that it was new: one statement on the database's side decides.
/// An occurrence counts for later times only, so let the servers' clocks agree: one whose clock is behind finds as new
/// what another has recorded a moment ago.
///
/// **Waiting.** The engine asks while it processes an event, on the caller's thread, so a look-up waits for the
/// database, for as long as `patience` at most. A record that cannot be written by then is kept in memory, counts in
/// this server's look-ups, and is written as soon as it can be; it is lost if the process ends before. One that was to
/// be new is not recorded then, or taken back. Up to 10,000 records are kept so; `report` is called, and
/// ``waitingRecordCount`` counts them. A database that cannot be reached makes look-ups fail at once, without waiting,
/// until it can be reached again.
///
/// **Failure.** Every method throws `StorageError`. What it was to change may be changed all the same, if it is
/// committed after `patience` is over: a ``remove(_:in:)`` stays done, a ``recordIfNew(_:at:)`` is taken back as soon
/// as the database can be used, unless the process ends before.
///
/// **Cost.** A round trip each; records that come together share one. Let events that no rule asks for be none.
public final class PostgresEventHistory: EventHistory {
    /// The most records that wait in memory.
    static let waitingLimit = 10_000

    private struct State {
        var waiting = WaitingRecords()
        /// The last ticket whose record was sent to the database.
        var lastSent = 0
        /// Records that were given up or removed after they had been sent: they are taken back.
        var withdrawn: [WaitingRecords.Entry] = []
        /// Whether someone is writing what waits.
        var isWriting = false
        var isReported = false
        var failures = 0
        /// Opened after each portion that was written, or not.
        var steps: [DispatchSemaphore] = []
        var lastError: (any Error)?
        var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

        var hasWork: Bool { !waiting.entries.isEmpty || !withdrawn.isEmpty }

        /// No caller will ask about the record. A record that depends on being new is removed; others stay and are
        /// tried again.
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

        /// What to send to the database next.
        mutating func nextPortion(_ attempts: Int64) -> OccurrenceTable.Portion {
            let entries = Array(waiting.entries.prefix(WaitingRecords.portion))
            lastSent = max(lastSent, entries.last?.ticket ?? 0)
            return OccurrenceTable.Portion(
                entries: entries, withdrawn: Array(withdrawn.prefix(WaitingRecords.portion)), attempts: attempts)
        }
    }

    /// What tells this history's attempts to record something as new from those of others.
    private let attempts = Int64.random(in: 1...(.max / 2))
    private let pool: Pool
    private let patience: Duration
    private let cleaning: OccurrenceCleaning
    private let state = Mutex(State())
    private let retries = DispatchQueue(label: "ConvertPostgresStores.retries")

    /// A history in `database`.
    ///
    /// - Parameters:
    ///   - database: the database.
    ///   - retention: how much is kept. Servers should agree on it; if not, the tightest limits hold.
    ///   - patience: how long a call waits for the database.
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

    /// Number of records that are kept in memory because they could not be written yet.
    public var waitingRecordCount: Int { state.withLock { $0.waiting.entries.count } }

    /// Remembers one occurrence. If it cannot be written now, it waits in memory.
    /// - Throws: `StorageError` if too many wait.
    public func record(_ fingerprint: EventFingerprint, at time: Int64) throws {
        guard fingerprint != .none else { return }
        if case .waits(let ticket) = try begin(fingerprint, at: time, onlyIfNew: false) { _ = finish([ticket]) }
    }

    /// Remembers one occurrence if the event did not happen before, between 1970 and `time`, in one step for all
    /// servers.
    /// - Returns: whether it was new.
    /// - Throws: `StorageError` if that cannot be found out. Then nothing is remembered, or is forgotten again.
    public func recordIfNew(_ fingerprint: EventFingerprint, at time: Int64) throws -> Bool {
        guard fingerprint != .none else { return true }
        switch try begin(fingerprint, at: time, onlyIfNew: true) {
        case .isWritten(let isNew): return isNew
        case .waits(let ticket): return try finish([ticket])[0].get()
        }
    }

    /// Returns how often the event happened within `window`, and its first and last time there.
    /// - Throws: `StorageError` if the store cannot be read.
    public func occurrences(
        of fingerprint: EventFingerprint, in window: ClosedRange<Int64>
    ) throws -> EventOccurrences {
        // Before the database is asked: what is written meanwhile counts once.
        let waiting = state.withLock { $0.waiting.times(of: fingerprint, in: window) }
        return try pool.performBlocking(within: patience) { connection in
            try OccurrenceTable.find(fingerprint, in: window, beside: waiting, connection)
        }
    }

    /// Forgets the event's occurrences within `window` and returns how many there were; fewer if the answer was lost
    /// and it was done again.
    /// - Throws: `StorageError` if the store could not be changed.
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

/// Records are begun without waiting for the database, and finished later.
extension PostgresEventHistory: DeferringEventHistory {
    package func begin(
        _ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool
    ) throws -> RecordProgress {
        let ticket = try state.withLock { state throws(StorageError) in
            guard state.waiting.entries.count < Self.waitingLimit else {
                throw StorageError(.full, path: pool.address.name)
            }
            let ticket = state.waiting.add(fingerprint, at: time, onlyIfNew: onlyIfNew)
            // What is to be new is not known to have happened.
            if !onlyIfNew { state.waiting.count(ticket) }
            return ticket
        }
        write()
        return .waits(ticket)
    }

    package func finish(_ tickets: [Int]) -> [Result<Bool, any Error>] {
        let end = ContinuousClock.now + patience
        while let step = nextStep(for: tickets) {
            let left = end - .now
            guard left > .zero,
                step.wait(timeout: .now() + .nanoseconds(Int(clamping: Int64(left / .nanoseconds(1))))) == .success
            else { break }
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

    /// What is signalled after the next attempt to write, if one of the tickets still waits for one.
    private func nextStep(for tickets: [Int]) -> DispatchSemaphore? {
        state.withLock { state in
            guard state.isWriting, tickets.contains(where: { state.waiting.isWaiting($0) }) else { return nil }
            let step = DispatchSemaphore(value: 0)
            state.steps.append(step)
            return step
        }
    }

    /// Writes waiting records, unless another thread does so already. Not in a task: callers that wait may block all
    /// threads of tasks.
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
            // What is given up from now on has been sent.
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
        signal { state in
            state.waiting.finish(portion.entries, with: outcomes)
            state.withdrawn.removeFirst(portion.withdrawn.count)
            state.lastError = nil
            state.failures = 0
            state.isReported = false
        }
        if let last = portion.entries.last, cleaning.isDue(after: portion.entries.count) {
            pool.submit(.stores, { [cleaning] in try cleaning.clean(after: last.time, $0) }) { _ in }
        }
        writePortion()
    }

    private func signal(_ body: (inout State) -> Void) {
        let steps = state.withLock { state in
            body(&state)
            defer { state.steps = [] }
            return state.steps
        }
        for step in steps { step.signal() }
    }

    private func pause(after error: any Error) {
        var isNews = false
        var delay = Duration.zero
        signal { state in
            state.lastError = error
            state.isWriting = false
            state.waiting.isRetrying = true
            state.failures += 1
            isNews = !state.isReported
            state.isReported = true
            delay = pool.options.backoff.delay(after: state.failures, using: &state.generator)
        }
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
