import ConvertConcurrency
import Foundation

/// A database file. It is created if it does not exist, migrated if it is old, and set aside if it is corrupt or lacks
/// a table.
///
/// A lock protects the one connection: operations are short, and SQLite permits one writer at a time anyway. An
/// operation does not wait for another process while it holds the lock. It waits for the disk only if the log became
/// long. The exception is opening the file again, which may wait for up to two seconds.
final class StoreFile: Sendable {
    struct Options {
        /// How long an operation waits for other processes, in milliseconds.
        var busyTimeout: Int32 = 1000
        var log = WriteAheadLog.Limits()
    }

    /// Does a part of the store's maintenance, such as deleting old records. Returns whether there is more to do.
    typealias Step = @Sendable (Connection) throws -> Bool

    let path: String
    let options: Options
    let report: @Sendable (StoreDiagnostic) -> Void

    private let log: WriteAheadLog
    private let opened: Mutex<OpenStore>
    /// The queue for disk writes that no caller waits for, and for reports.
    private let queue = DispatchQueue(label: "ConvertSQLiteStores")
    private let step: Step
    private let isTidying = Atomic(false)

    /// Opens the file.
    /// - Parameters:
    ///   - step: the store's maintenance, done on a thread of its own in steps of about a millisecond.
    ///   - report: called when the file was repaired.
    init(
        _ file: URL, options: Options = Options(), step: @escaping Step = { _ in false },
        report: @escaping @Sendable (StoreDiagnostic) -> Void
    ) throws {
        path = file.path
        self.options = options
        self.step = step
        self.report = report
        guard file.isFileURL else { throw StorageError(.cannotOpen, path: file.absoluteString) }
        log = WriteAheadLog(options.log) { [path, queue] in queue.async { report(.logHeld(path: path)) } }
        var store = OpenStore(path: path, options: options, log: log)
        _ = try store.current()
        store.takeReports().forEach(report)
        opened = Mutex(store)
        tidy()
    }

    /// Runs `body` on this thread with exclusive use of the connection.
    ///
    /// If another process holds the database, `body` runs again until it succeeds or `patience` ends, so it must not
    /// have changed anything when it throws. If the database is corrupt or lacks a table, it is set aside, and `body`
    /// runs once more on a new one.
    /// - Parameter patience: how long to wait for other processes, in milliseconds; `nil` means the options'
    ///   `busyTimeout`.
    func perform<Result: Sendable>(
        patience: Int32? = nil, _ body: (Connection) throws -> Result
    ) throws -> Result {
        let end = ContinuousClock.now + .milliseconds(patience ?? options.busyTimeout)
        var pause: UInt32 = 50
        while true {
            do {
                return try performAtOnce(body)
            } catch let error as StorageError where error.code == .busy {
                guard ContinuousClock.now < end else { throw error }
            }
            // The lock is free during the pause, so other operations, such as reads, continue.
            usleep(pause)
            pause = min(2 * pause, 5000)
        }
    }

    private func performAtOnce<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
        var reports: [StoreDiagnostic] = []
        defer { reportLater(reports) }
        let (result, isTidyingDue) = try opened.withLock { store in
            defer { reports = store.takeReports() }
            do {
                let connection = try store.current()
                connection.mayGrow = !log.isHeld
                if !connection.mayGrow { log.moveLater() }
                return (try body(connection), log.note(connection))
            } catch let error as StorageError where error.code == .corrupt || error.isAboutTheSchema {
                return (try body(store.replacement(after: error)), false)
            }
        }
        if isTidyingDue { tidy() }
        return result
    }

    /// Runs `body` while no operation uses the connection.
    func exclusively<Result: Sendable>(_ body: () -> Result) -> Result { opened.withLock { _ in body() } }

    /// Calls `report` on another thread: the caller may hold locks that `report` needs.
    func reportLater(_ reports: [StoreDiagnostic]) {
        if reports.isEmpty { return }
        inBackground { [report] in reports.forEach(report) }
    }

    /// Does the store's maintenance, and returns free pages to the disk, on the queue for disk writes.
    func tidy() {
        if !isTidying.exchange(true, ordering: .relaxed) { continueTidying(after: 0) }
    }

    private func continueTidying(after milliseconds: Int, hasGivenBack: Bool = false) {
        inBackground(after: milliseconds) { [weak self] in
            guard let self else { return }
            var hasGivenBack = hasGivenBack
            do {
                let hasMore = try perform(patience: 0, step)
                let givesBack = try perform(patience: 0) { try $0.giveRoomBack() }
                hasGivenBack = hasGivenBack || givesBack
                // Gives other operations access to the database for a while.
                if hasMore || givesBack { return continueTidying(after: 1, hasGivenBack: hasGivenBack) }
                // The file becomes shorter when the log moves, after the last page was given back.
                if hasGivenBack { log.moveNow() }
                isTidying.store(false, ordering: .relaxed)
            } catch {
                // The file is busy, or the store's next call fails with the same error, and reports it.
                continueTidying(after: 100, hasGivenBack: hasGivenBack)
            }
        }
    }

    /// Runs `body` on the queue for disk writes, after `milliseconds` and earlier work.
    func inBackground(after milliseconds: Int = 0, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
    }
}
