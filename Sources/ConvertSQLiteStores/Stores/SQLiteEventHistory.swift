package import ConvertConcurrency
public import ConvertMobileRules
public import Foundation

/// Keeps the mobile rules' event history in an SQLite file, so that "shown once" outlives a restart.
///
/// ```swift
/// let history = try SQLiteEventHistory(file: URL(fileURLWithPath: "/var/lib/shop/history.sqlite"))
/// ```
///
/// **Sharing.** Any number of threads and of processes on one machine may use one file at once; what one has recorded,
/// the others find. Of several that record the same event with ``recordIfNew(_:at:)`` at once, one gets the answer that
/// it was new. A file on a network file system is not supported.
///
/// **Waiting.** A record waits for another process for a second at most. If it cannot be written by then, because the
/// file is locked or the disk is full, it is kept in memory, counts in look-ups, and is written as soon as it can be;
/// it is lost if the process ends before. So are up to 10,000 records kept; `report` is called, and
/// ``waitingRecordCount`` counts them. The engine processes other events meanwhile.
///
/// **Failure.** Every method throws `StorageError`, and has changed nothing then. A corrupt file is renamed to
/// `….corrupt-1` (or the next free number), reported, and replaced by an empty one. What is missing, or out of its
/// range, is mended and reported.
///
/// **Cost.** On the caller's thread. A record takes some 50 µs, and one in 250 to a full history a few milliseconds.
/// Records that are too old or too many are removed in steps, a part with each new record and the rest on a thread of
/// the history's own; the file gives the room back. A look-up reads the event's occurrences within the window: some
/// microseconds, and up to half a microsecond for each. `convert-benchmarks H-record H-find-1 H-find-10000 H-full`
/// measures it on your disk.
public final class SQLiteEventHistory: EventHistory {
    /// The most records that wait in memory.
    static let waitingLimit = 10_000

    private let file: StoreFile
    private let reports: StoreReports
    private let waitingLimit: Int
    private let cleaning: HistoryCleaning
    private let waiting = Mutex(WaitingRecords())

    /// Opens the history, and makes the file and its folder if they are not there.
    ///
    /// - Parameters:
    ///   - file: the database file. It may also serve this machine's other SQLite stores.
    ///   - retention: how much is kept. Processes that share a file should agree on it; if not, the tightest limits
    ///     hold.
    ///   - report: called when the history healed itself, on any thread. By default the engine's
    ///     observer is warned; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the file cannot be opened, or is not to be touched.
    public convenience init(
        file: URL, retention: EventHistoryRetention = EventHistoryRetention(),
        report: (@Sendable (StoreDiagnostic) -> Void)? = nil
    ) throws {
        try self.init(file: file, retention: retention, options: StoreFile.Options(), report: report)
    }

    init(
        file: URL, retention: EventHistoryRetention, options: StoreFile.Options,
        waitingLimit: Int = SQLiteEventHistory.waitingLimit,
        report: (@Sendable (StoreDiagnostic) -> Void)?
    ) throws {
        self.waitingLimit = waitingLimit
        let cleaning = HistoryCleaning(retention)
        self.cleaning = cleaning
        reports = StoreReports(report)
        self.file = try StoreFile(file, options: options, step: { try cleaning.step($0) }, report: reports.report)
    }

    deinit {
        if waitingRecordCount == 0 { return }
        try? writeWaiting(patience: nil)
        let lost = waitingRecordCount
        if lost > 0 { file.report(.recordsLost(path: file.path, count: lost)) }
    }

    /// Number of records that are kept in memory because they could not be written yet.
    public var waitingRecordCount: Int { waiting.withLock { $0.entries.count } }

    /// Number of records whose outcome no caller asked for.
    var outcomeCount: Int { waiting.withLock { $0.outcomeCount } }

    /// Remembers one occurrence and applies the retention limits. If it cannot be written now, it waits in memory.
    /// - Throws: `StorageError` if too many wait.
    public func record(_ fingerprint: EventFingerprint, at time: Int64) throws {
        guard fingerprint != .none else { return }
        if case .waits(let ticket) = try begin(fingerprint, at: time, onlyIfNew: false) { _ = finish([ticket]) }
    }

    /// Remembers one occurrence if the event did not happen before, between 1970 and `time`, in one step for all
    /// processes.
    /// - Returns: whether it was new.
    /// - Throws: `StorageError` if that cannot be found out. Then nothing is remembered.
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
        try file.perform { connection in
            var found = try OccurrenceTable.find(fingerprint, in: window, connection)
            // Written records leave the list under the connection's lock, so none is counted twice or not at all.
            for time in waiting.withLock({ $0.times(of: fingerprint, in: window) }) { found = found.adding(time) }
            return found
        }
    }

    /// Forgets the event's occurrences within `window` and returns how many there were.
    /// - Throws: `StorageError` if the store could not be changed.
    @discardableResult
    public func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int {
        try file.perform { connection in
            let count = try connection.transaction {
                try OccurrenceTable.remove(fingerprint, in: window, connection)
                return connection.changeCount
            }
            return waiting.withLock { waiting in
                defer { waiting.remove(fingerprint, in: window) }
                return count + waiting.times(of: fingerprint, in: window).count
            }
        }
    }
}

/// Records are begun without waiting for anybody, and finished later if need be.
extension SQLiteEventHistory: DeferringEventHistory {
    package func begin(
        _ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool
    ) throws -> RecordProgress {
        let ticket = waiting.withLock { $0.add(fingerprint, at: time, onlyIfNew: onlyIfNew) }
        do {
            // Others may wait that a lock left; the caller is not to pay for all of them.
            if try writePortion(patience: 0) {
                countIfMissing(fingerprint, at: time, ticket)
                retryLater(isReported: false)
            }
        } catch {
            if waiting.withLock({ $0.entries.count }) > waitingLimit {
                // Another thread may be about to write it.
                let isWithdrawn = file.exclusively {
                    waiting.withLock { waiting in
                        defer { waiting.withdraw(ticket) }
                        return waiting.isWaiting(ticket)
                    }
                }
                if isWithdrawn { throw error }
            }
            countIfMissing(fingerprint, at: time, ticket)
            retryLater(isReported: true)
        }
        return waiting.withLock { $0.takeOutcome(of: ticket) }.map(RecordProgress.isWritten) ?? .waits(ticket)
    }

    package func finish(_ tickets: [Int]) -> [Result<Bool, any Error>] {
        var failure: any Error = StorageError(.busy, path: file.path)
        if waiting.withLock({ waiting in tickets.contains { waiting.isWaiting($0) } }) {
            do { try write(tickets) } catch { failure = error }
        }
        // Nothing is being written meanwhile, so a record that still waits is not about to be in the file.
        return file.exclusively {
            waiting.withLock { waiting in
                tickets.map { ticket in
                    if let isNew = waiting.takeOutcome(of: ticket) { return .success(isNew) }
                    // A record that must be new is not written later; other records stay and are tried again.
                    waiting.giveUp(ticket)
                    return .failure(failure)
                }
            }
        }
    }

    /// Lets a record that waits count, unless the file has it.
    private func countIfMissing(_ fingerprint: EventFingerprint, at time: Int64, _ ticket: Int) {
        let isThere = try? file.perform(patience: 0) { connection in
            let isThere = try OccurrenceTable.find(fingerprint, in: time...time, connection).count > 0
            if !isThere { waiting.withLock { $0.count(ticket) } }
            return isThere
        }
        if isThere == nil { waiting.withLock { $0.count(ticket) } }
    }

    /// Writes what waits until that includes the records of `tickets`, or until a caller has waited long enough.
    private func write(_ tickets: [Int]) throws {
        let end = ContinuousClock.now + .milliseconds(file.options.busyTimeout)
        var patience = file.options.busyTimeout
        while try writePortion(patience: patience),
            waiting.withLock({ waiting in tickets.contains { waiting.isWaiting($0) } })
        {
            let left = end - .now
            if left <= .zero { return }
            patience = Int32(left / .milliseconds(1))
        }
    }

    /// Writes what waits, in portions.
    private func writeWaiting(patience: Int32?) throws {
        while try writePortion(patience: patience) {}
    }

    /// Writes some of what waits. Returns whether there is more.
    private func writePortion(patience: Int32?) throws -> Bool {
        let (isBehind, hasMore) = try file.perform(patience: patience) { connection in
            let entries = waiting.withLock { Array($0.entries.prefix(WaitingRecords.portion)) }
            if entries.isEmpty { return (false, false) }
            let (outcomes, isBehind) = try connection.transaction {
                var last: Int64?
                let outcomes = try entries.map { entry in
                    let isNew = try OccurrenceTable.insert(entry, connection)
                    if isNew { last = entry.time }
                    return isNew || !entry.onlyIfNew
                }
                return (outcomes, try last.map { try cleaning.clean(after: $0, connection) } ?? false)
            }
            let hasMore = waiting.withLock { waiting in
                waiting.finish(entries, with: outcomes)
                return !waiting.entries.isEmpty
            }
            return (isBehind, hasMore)
        }
        if isBehind { file.upkeep.ask(for: file) }
        return hasMore
    }

    private func retryLater(isReported: Bool) {
        let (isFirst, isNews) = waiting.withLock { waiting in
            defer {
                waiting.isRetrying = true
                waiting.isReported = waiting.isReported || isReported
            }
            return (!waiting.isRetrying, isReported && !waiting.isReported)
        }
        if isFirst { retry(after: 5) }
        if isNews { file.reportLater([.recordsWaiting(path: file.path)]) }
    }

    private func retry(after milliseconds: Int) {
        file.inBackground(after: milliseconds) { [weak self] in
            guard let self else { return }
            do {
                try writeWaiting(patience: 0)
                let isDone = waiting.withLock { waiting in
                    waiting.isRetrying = !waiting.entries.isEmpty
                    if !waiting.isRetrying { waiting.isReported = false }
                    return !waiting.isRetrying
                }
                if !isDone { retry(after: 5) }
            } catch {
                retry(after: min(2 * milliseconds, 500))
            }
        }
    }
}

extension EventOccurrences {
    fileprivate func adding(_ time: Int64) -> EventOccurrences {
        let times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) }
        return EventOccurrences(count: count + 1, times: times ?? time...time)
    }
}

extension SQLiteEventHistory: ReportSource {
    package func report(to log: @escaping @Sendable (Report) -> Void) { reports.report(to: log) }
}
