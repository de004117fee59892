import ConvertConcurrency
import Foundation

/// Lengths of a database's write-ahead log, in pages.
struct LogLimits {
    /// From this many new pages on, a checkpoint moves the log into the database while others write.
    var moved: Int32 = 1000
    /// From this length on, the log restarts, and writers wait for the disk.
    var restarted: Int32 = 8192
    /// From this length on, writes fail as busy until the reader that prevents the restart has ended.
    var longest: Int32 = 32_768

    /// Bytes that the log's file keeps when the log restarts: truncating and extending it would cost writers time.
    var bytesKept: Int { 4096 * Int(restarted) }
}

/// Maintains a database file while it is in use, on a thread of its own, in steps of about a millisecond.
///
/// It makes checkpoints over a connection of its own, so that no writer waits for the disk. It runs the store's
/// maintenance, and returns free pages to the disk.
final class Upkeep: Sendable {
    /// Does a part of the store's maintenance, such as deleting old records. Returns whether there is more to do.
    typealias Step = @Sendable (Connection) throws -> Bool

    /// The maximum number of pages left to move when the log restarts.
    private static let restLimit: Int32 = 512

    private struct State {
        var isAsked = false
        /// The log's length after the last noted commit.
        var length: Int32 = 0
        /// The log's length at the last checkpoint.
        var lengthMoved: Int32 = 0

        func isDue(_ limits: LogLimits) -> Bool { length - lengthMoved >= limits.moved }
    }

    private let limits: LogLimits
    private let step: Step
    private let queue = DispatchQueue(label: "ConvertSQLiteStores.Upkeep")
    private let state = Mutex(State())
    private let isHeld = Atomic(false)
    /// The connection for checkpoints.
    private let mover = Mutex(StoreFile.Owned())

    init(limits: LogLimits, step: @escaping Step) {
        self.limits = limits
        self.step = step
    }

    /// Whether a reader prevents the restart of the log although the log has its maximum length.
    var isLogHeld: Bool { isHeld.load(ordering: .relaxed) }

    /// Records the log's length. Returns whether the caller must call `ask(for:after:)`.
    func note(logLength: Int32) -> Bool {
        guard logLength >= limits.moved else { return false }
        return state.withLock { state in
            // A writer has restarted the log.
            if logLength < state.lengthMoved { state.lengthMoved = 0 }
            state.length = logLength
            return !state.isAsked && state.isDue(limits)
        }
    }

    /// Schedules maintenance of `file` on a thread of its own, unless it is scheduled already.
    func ask(for file: StoreFile, after milliseconds: Int = 0) {
        let isFirst = state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak file] in
            self.state.withLock { $0.isAsked = false }
            if let file { self.performMaintenance(of: file) }
        }
    }

    private func performMaintenance(of file: StoreFile) {
        do {
            var hasGivenBack = false
            var hasMore = true
            while hasMore {
                if isLogHeld || state.withLock({ $0.isDue(limits) }) { try moveLog(of: file) }
                hasMore = try file.perform(patience: 0, step)
                if try file.perform(patience: 0, Self.giveRoomBack) {
                    hasMore = true
                    hasGivenBack = true
                }
                // Gives other operations access to the database for a while.
                if hasMore { usleep(1000) }
            }
            if hasGivenBack { try moveLog(of: file) }
        } catch let error as StorageError where error.code == .busy {
            return ask(for: file, after: 50)
        } catch {
            // The store's next call fails with the same error, and reports it.
            return ask(for: file, after: 1000)
        }
        if isLogHeld { ask(for: file, after: 50) }
    }

    /// Returns some free pages to the disk if there are many. Returns whether there were.
    private static func giveRoomBack(_ connection: Connection) throws -> Bool {
        guard try connection.hasMuchFreeRoom else { return false }
        if !connection.mayGrow { throw StorageError(.busy, path: connection.name) }
        try connection.giveRoomBack()
        return true
    }

    // MARK: The log

    /// Moves the log into the database, and restarts the log if it is long.
    private func moveLog(of file: StoreFile) throws {
        let length = try mover.withLock { mover in
            let connection = try Self.connection(&mover, file)
            var log = try connection.checkpoint(.passive)
            guard log.length >= limits.restarted else {
                // The length is -1 if there is no log.
                if log.length >= 0, log.length == log.moved { Self.beginLog(connection) }
                return log.length
            }
            // Repeats until little is left to do while writers wait. If a reader prevents it, repeating gains nothing.
            for _ in 0..<3 where log.length - log.moved > Self.restLimit { log = try connection.checkpoint(.passive) }
            if log.length - log.moved > Self.restLimit { return log.length }
            let isLong = log.length > 2 * limits.restarted
            guard (try? connection.checkpoint(isLong ? .truncating : .restarting)) != nil else { return log.length }
            Self.beginLog(connection)
            return 0
        }
        state.withLock { state in
            state.length = length
            state.lengthMoved = length
        }
        let wasHeld = isHeld.exchange(length >= limits.longest, ordering: .relaxed)
        if isLogHeld && !wasHeld { file.report(.logHeld(path: file.path)) }
    }

    /// Writes nothing new. The first transaction of a log waits for the disk, so this one spares the store's
    /// transactions that wait.
    private static func beginLog(_ connection: Connection) {
        try? connection.transaction {
            let version = try connection.integer("PRAGMA user_version")
            try connection.execute("PRAGMA user_version = \(version)")
        }
    }

    private static func connection(_ mover: inout StoreFile.Owned, _ file: StoreFile) throws -> Connection {
        if let connection = mover.connection, FileIdentity(of: file.path) == mover.identity { return connection }
        mover.connection = nil
        let identity = FileIdentity(of: file.path)
        // A missing file is created by the store's next call.
        let connection = try Connection(
            path: FileSystem.destination(of: file.path), name: file.path, busyTimeout: 2, makesFile: false)
        try connection.configure(logBytesKept: file.options.log.bytesKept)
        // SQLite finds the log by its name. Another file's log must not be moved into this database.
        guard let identity, FileIdentity(of: file.path) == identity else { throw StorageError(.busy, path: file.path) }
        mover.connection = connection
        mover.identity = identity
        return connection
    }
}
