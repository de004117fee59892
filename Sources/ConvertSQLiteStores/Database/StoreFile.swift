import ConvertConcurrency
import Foundation

/// A database file: made if it is not there, brought up to date, and set aside if it is corrupt or lacks a table.
///
/// One connection, behind a lock: operations are short, and SQLite admits one writer anyway. Nothing waits for another
/// process, or for the disk to write what it holds in memory, while it holds that lock; only a file that has to be
/// opened anew is waited for there, for up to two seconds.
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
    /// Where records wait for the disk that no caller waits for, and reports are made.
    private let queue = DispatchQueue(label: "ConvertSQLiteStores")

    // Sendable: the mutex that holds it gives it to one thread at a time, and nothing gives it further.
    struct Owned: @unchecked Sendable {
        var connection: Connection?
        var identity: FileIdentity?
    }

    /// Opens the file.
    /// - Parameters:
    ///   - step: what the store has to do now and then, see ``Upkeep``.
    ///   - report: called when the file was mended.
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

    /// Runs `body` on this thread, alone with the connection.
    ///
    /// While another process holds the database, `body` is begun again and again: it must not have changed anything
    /// when it throws. If the database turns out to be corrupt, or to lack a table, it is set aside, and `body` runs
    /// once more.
    /// - Parameter patience: how long to wait for other processes, in milliseconds; `nil` as the options say.
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
            // Others go on meanwhile, those that only read for example.
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
                // A mistake in a statement is no damage.
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

    /// Runs `body` while the connection is unused.
    func exclusively<Result: Sendable>(_ body: () -> Result) -> Result { connection.withLock { _ in body() } }

    /// Calls `report` on another thread: the caller may hold locks that `report` needs.
    func reportLater(_ reports: [StoreDiagnostic]) {
        if reports.isEmpty { return }
        inBackground { [report] in reports.forEach(report) }
    }

    /// Runs `body` on the thread that may wait for the disk, after what it was given before.
    func inBackground(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Runs `body` there, but not before `milliseconds` have passed.
    func inBackground(after milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
    }
}
