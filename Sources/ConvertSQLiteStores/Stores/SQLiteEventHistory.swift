package import ConvertConcurrency
public import ConvertMobileRules
public import Foundation

/// Keeps the mobile rules' event history in an SQLite file, so that "shown once" survives a restart.
///
/// ```swift
/// let history = try SQLiteEventHistory(file: URL(fileURLWithPath: "/var/lib/shop/history.sqlite"))
/// ```
///
/// **Sharing.** Any number of threads, and of processes on one machine, can use one file at once; each sees what the
/// others have recorded. If several call ``recordIfNew(_:at:)`` for the same event at once, one of them receives
/// `true`. Files on network file systems are not supported.
///
/// **Waiting.** A record waits up to a second for other processes. If it cannot be written by then, because the file is
/// locked or the disk is full, it waits in memory, counts in look-ups, and is written as soon as possible; if the
/// process ends first, the record is lost. A record of `recordIfNew(_:at:)` does not wait: it is dropped. Up to 10,000
/// records wait; `report` receives a diagnostic, and ``waitingRecordCount`` counts them. The engine processes other
/// events meanwhile.
///
/// **Failure.** Every method throws `StorageError`; then it has changed nothing. A corrupt file is renamed to
/// `….corrupt-1` (or the next free number), reported, and replaced by an empty one. A wrong counter of occurrences is
/// corrected.
///
/// **Cost.** Calls run on the caller's thread. A record takes about 50 µs; one in 250 records to a full history, and
/// one in some thousand records to any history, takes a few milliseconds. Records above the limits are removed in
/// steps: some with each new record, the rest on a thread of the history's own. The file returns free pages to the
/// disk. A look-up reads the event's occurrences within the window: a few microseconds, and up to half a microsecond
/// for each. `convert-benchmarks H-record H-find-1 H-find-10000 H-full` measures this on your disk.
///
/// **Thread safety.** All methods can be called from any thread.
public final class SQLiteEventHistory: EventHistory {
    /// The maximum number of records that wait in memory.
    static let waitingLimit = 10_000

    private let file: StoreFile
    private let reports: StoreReports
    private let waitingLimit: Int
    private let cleaning: HistoryCleaning
    private let waiting = Mutex(WaitingRecords())

    /// Opens the history, or creates the file and its folder.
    ///
    /// - Parameters:
    ///   - file: the database file. It may also serve this machine's other SQLite stores.
    ///   - retention: the limits of what is kept. Processes that share a file should use the same limits; otherwise the
    ///     tightest ones apply.
    ///   - report: called on any thread when the file was repaired or records wait in memory. By default the engine's
    ///     observer receives a warning; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the file cannot be opened or must not be changed.
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
        while (try? writePortion(patience: nil)) == true {}
        let lost = waitingRecordCount
        if lost > 0 { file.report(.recordsLost(path: file.path, count: lost)) }
    }

    /// The number of records in memory that have not been written yet.
    public var waitingRecordCount: Int { waiting.withLock { $0.entries.count } }

    /// The number of records whose outcome no caller has read.
    var outcomeCount: Int { waiting.withLock { $0.outcomeCount } }

    /// Records one occurrence and applies the retention limits. If it cannot be written now, it waits in memory.
    /// `EventFingerprint.none` is ignored.
    /// - Throws: `StorageError` if 10,000 records wait already.
    public func record(_ fingerprint: EventFingerprint, at time: Int64) throws {
        guard fingerprint != .none else { return }
        if case .waits(let ticket) = try begin(fingerprint, at: time, onlyIfNew: false) { _ = finish([ticket]) }
    }

    /// Records one occurrence if the event did not happen earlier, between 1970 and `time`. This is atomic for all
    /// processes.
    /// - Returns: whether the occurrence was new; `true` for `EventFingerprint.none`.
    /// - Throws: `StorageError` if that cannot be determined. Then nothing is recorded.
    public func recordIfNew(_ fingerprint: EventFingerprint, at time: Int64) throws -> Bool {
        guard fingerprint != .none else { return true }
        switch try begin(fingerprint, at: time, onlyIfNew: true) {
        case .isWritten(let isNew): return isNew
        case .waits(let ticket): return try finish([ticket])[0].get()
        }
    }

    /// Returns how often the event happened within `window`, and its first and last time in it.
    /// - Throws: `StorageError` if the file cannot be read.
    public func occurrences(
        of fingerprint: EventFingerprint, in window: ClosedRange<Int64>
    ) throws -> EventOccurrences {
        try file.perform { connection in
            let found = try OccurrenceTable.find(fingerprint, in: window, connection)
            return try unwritten(fingerprint, in: window, connection).reduce(found) { $0.adding($1) }
        }
    }

    /// Removes the event's occurrences within `window`, and returns how many there were.
    /// - Throws: `StorageError` if the file could not be changed.
    @discardableResult
    public func remove(_ fingerprint: EventFingerprint, in window: ClosedRange<Int64>) throws -> Int {
        try file.perform { connection in
            let waitingCount = try unwritten(fingerprint, in: window, connection).count
            let count = try connection.transaction {
                try OccurrenceTable.remove(fingerprint, in: window, connection)
                return connection.changeCount
            }
            waiting.withLock { $0.remove(fingerprint, in: window) }
            return count + waitingCount
        }
    }

    /// The times of waiting records that the file does not have. Written records leave the list under the connection's
    /// lock, so each record is counted exactly once.
    private func unwritten(
        _ fingerprint: EventFingerprint, in window: ClosedRange<Int64>, _ connection: Connection
    ) throws -> [Int64] {
        try waiting.withLock { $0.times(of: fingerprint, in: window) }.filter { time in
            try OccurrenceTable.find(fingerprint, in: time...time, connection).count == 0
        }
    }
}

/// `begin` does not wait for other processes; `finish` does.
extension SQLiteEventHistory: DeferringEventHistory {
    package func begin(
        _ fingerprint: EventFingerprint, at time: Int64, onlyIfNew: Bool
    ) throws -> RecordProgress {
        let ticket = waiting.withLock { $0.add(fingerprint, at: time, onlyIfNew: onlyIfNew) }
        do {
            // Other records may be waiting since the file was locked; this caller does not write all of them.
            if try writePortion(patience: 0) { retryLater(isReported: false) }
        } catch {
            if waiting.withLock({ $0.entries.count }) > waitingLimit {
                // Another thread may be about to write the record.
                let isWithdrawn = file.exclusively {
                    waiting.withLock { waiting in
                        defer { waiting.withdraw(ticket) }
                        return waiting.isWaiting(ticket)
                    }
                }
                if isWithdrawn { throw error }
            }
            retryLater(isReported: true)
            if PlantedFault.isPlanted("waiting-record-counts-as-written") { return .isWritten(isNew: true) }
        }
        return waiting.withLock { waiting in
            if let isNew = waiting.takeOutcome(of: ticket) { return .isWritten(isNew: isNew) }
            if !PlantedFault.isPlanted("waiting-record-not-counted") { waiting.count(ticket) }
            return .waits(ticket)
        }
    }

    package func finish(_ tickets: [Int]) -> [Result<Bool, any Error>] {
        var failure: any Error = StorageError(.busy, path: file.path)
        if waiting.withLock({ waiting in tickets.contains { waiting.isWaiting($0) } }) {
            do { try write(tickets) } catch { failure = error }
        }
        return file.exclusively {
            waiting.withLock { waiting in
                tickets.map { ticket in
                    if let isNew = waiting.takeOutcome(of: ticket) { return .success(isNew) }
                    // Nothing is being written under this lock, so a record that still waits will not appear in the
                    // file.
                    waiting.giveUp(ticket)
                    return .failure(failure)
                }
            }
        }
    }

    /// Writes waiting records until the records of `tickets` are written, or until a caller has waited long enough.
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

    /// Writes some waiting records. Returns whether there are more.
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
        if isBehind { file.tidy() }
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
                while try writePortion(patience: 0) {}
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
