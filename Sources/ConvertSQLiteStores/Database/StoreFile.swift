import ConvertConcurrency
import Foundation

/// A database file. It is created if it does not exist, migrated if it is old, and set aside if it is corrupt or lacks
/// a table.
///
/// A lock protects the one connection: operations are short, and SQLite permits one writer at a time anyway. An
/// operation does not wait for another process or for the disk while it holds the lock. The exception is opening the
/// file again, which may wait for up to two seconds.
final class StoreFile: Sendable {
    struct Options {
        /// How long an operation waits for other processes, in milliseconds.
        var busyTimeout: Int32 = 1000
        var log = LogLimits()
    }

    let path: String
    let options: Options
    let report: @Sendable (StoreDiagnostic) -> Void
    let upkeep: Upkeep

    private let connection: Mutex<Owned>
    /// The queue for disk writes that no caller waits for, and for reports.
    private let queue = DispatchQueue(label: "ConvertSQLiteStores")

    // Sendable: the mutex around it permits one thread at a time, and no code keeps a reference outside the lock.
    struct Owned: @unchecked Sendable {
        var connection: Connection?
        var identity: FileIdentity?
    }

    /// Opens the file.
    /// - Parameters:
    ///   - step: the store's maintenance; see ``Upkeep``.
    ///   - report: called when the file was repaired.
    init(
        _ file: URL, options: Options = Options(), step: @escaping Upkeep.Step = { _ in false },
        report: @escaping @Sendable (StoreDiagnostic) -> Void
    ) throws {
        path = file.path
        self.options = options
        self.report = report
        guard file.isFileURL else { throw StorageError(.cannotOpen, path: file.absoluteString) }
        var reports: [StoreDiagnostic] = []
        var owned = Owned()
        _ = try Self.connection(&owned, path, options, &reports)
        connection = Mutex(owned)
        upkeep = Upkeep(limits: options.log, step: step)
        reports.forEach(report)
        upkeep.ask(for: self)
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
        let patience = Duration.milliseconds(patience ?? options.busyTimeout)
        var end: ContinuousClock.Instant?
        var pause: UInt32 = 50
        while true {
            do {
                return try performAtOnce(body)
            } catch let error as StorageError where error.code == .busy {
                let now = ContinuousClock.now
                let limit = end ?? now + patience
                end = limit
                guard now < limit else { throw error }
            }
            // The lock is free during the pause, so other operations, such as reads, continue.
            usleep(pause)
            pause = min(2 * pause, 5000)
        }
    }

    private func performAtOnce<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
        var reports: [StoreDiagnostic] = []
        defer { reportLater(reports) }
        let (result, logLength) = try connection.withLock { owned in
            do {
                let connection = try Self.connection(&owned, path, options, &reports)
                connection.mayGrow = !upkeep.isLogHeld
                return (try body(connection), connection.logLength)
            } catch let error as StorageError where error.code == .corrupt || error.isAboutTheSchema {
                // An error in a statement does not mean that the file is damaged.
                if error.code != .corrupt, owned.connection?.lacks(Migrations.uses) == false { throw error }
                let corrupt = owned.identity
                owned.connection = nil
                owned.identity = nil
                let connection = try Self.connection(&owned, path, options, &reports, corrupt: corrupt)
                return (try body(connection), connection.logLength)
            }
        }
        if upkeep.note(logLength: logLength) { upkeep.ask(for: self) }
        return result
    }

    /// Runs `body` while no operation uses the connection.
    func exclusively<Result: Sendable>(_ body: () -> Result) -> Result { connection.withLock { _ in body() } }

    /// Calls `report` on another thread: the caller may hold locks that `report` needs.
    func reportLater(_ reports: [StoreDiagnostic]) {
        if reports.isEmpty { return }
        inBackground { [report] in reports.forEach(report) }
    }

    /// Runs `body` on the queue for disk writes, after earlier work.
    func inBackground(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Runs `body` on the queue for disk writes, after `milliseconds`.
    func inBackground(after milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
    }
}
