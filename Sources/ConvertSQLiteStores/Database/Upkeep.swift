import ConvertConcurrency
import Foundation

/// How long a database's write-ahead log may get, in pages.
struct LogLimits {
    /// With this length, the log's pages are moved into the database while others write.
    var moved: Int32 = 1000
    /// With this length, the log restarts, and writers wait for the disk.
    var restarted: Int32 = 8192
    /// With this length, writes wait until a reader that holds the log has ended.
    var longest: Int32 = 32_768

    /// Bytes that stay with the file for the next round; to give them back and ask for them again would cost writers
    /// time.
    var bytesKept: Int { 4096 * Int(restarted) }
}

/// Maintains a database file while it is in use: on a thread of its own, in steps of about a millisecond.
///
/// It moves the log into the database, over a connection of its own, so that no writer waits for the disk; does what
/// the store has to do now and then; and gives free room back to the disk.
final class Upkeep: Sendable {
    /// Does a part of what a store has to do, such as forgetting what is too old. Returns whether there is more to do.
    typealias Step = @Sendable (Connection) throws -> Bool

    /// Pages of the log that may be left when it is begun anew.
    private static let restLimit: Int32 = 512

    private struct State {
        var isAsked = false
        /// The log's length, as the last writer noted it.
        var length: Int32 = 0
        /// Its length when it was last moved.
        var lengthMoved: Int32 = 0

        func isDue(_ limits: LogLimits) -> Bool { length - lengthMoved >= limits.moved }
    }

    private let limits: LogLimits
    private let step: Step
    private let queue = DispatchQueue(label: "ConvertSQLiteStores.Upkeep")
    private let state = Mutex(State())
    private let isHeld = Atomic(false)
    /// The connection over which the log is moved.
    private let mover = Mutex(StoreFile.Owned())

    init(limits: LogLimits, step: @escaping Step) {
        self.limits = limits
        self.step = step
    }

    /// Whether a reader keeps the log from being begun anew although it is as long as it may get.
    var isLogHeld: Bool { isHeld.load(ordering: .relaxed) }

    /// Takes note of the log's length. Returns whether it is to be asked to look after the file.
    func note(logLength: Int32) -> Bool {
        guard logLength >= limits.moved else { return false }
        return state.withLock { state in
            // A writer has begun it anew.
            if logLength < state.lengthMoved { state.lengthMoved = 0 }
            state.length = logLength
            return !state.isAsked && state.isDue(limits)
        }
    }

    /// Looks after `file` soon, on a thread of its own.
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
                // Leaves the database to others for a while.
                if hasMore { usleep(1000) }
            }
            if hasGivenBack { try moveLog(of: file) }
        } catch let error as StorageError where error.code == .busy {
            return ask(for: file, after: 50)
        } catch {
            // The store's next call meets the error as well, and reports it.
            return ask(for: file, after: 1000)
        }
        if isLogHeld { ask(for: file, after: 50) }
    }

    /// Gives some free pages back to the disk if there are many. Returns whether there were.
    private static func giveRoomBack(_ connection: Connection) throws -> Bool {
        guard try connection.hasMuchFreeRoom else { return false }
        if !connection.mayGrow { throw StorageError(.busy, path: connection.name) }
        try connection.giveRoomBack()
        return true
    }

    // MARK: The log

    /// Moves the log into the database, and begins it anew if it is long.
    private func moveLog(of file: StoreFile) throws {
        let length = try mover.withLock { mover in
            let connection = try Self.connection(&mover, file)
            var log = try connection.checkpoint(.passive)
            guard log.length >= limits.restarted else {
                // -1 is a file without a log.
                if log.length >= 0, log.length == log.moved { Self.beginLog(connection) }
                return log.length
            }
            // Until little is left to do while writers wait. Where a reader is in the way nothing is gained.
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

    /// Writes nothing new. The first transaction of a log waits for the disk, and so that none of the store's does it
    /// is this.
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
        // The store's next call makes a missing file.
        let connection = try Connection(
            path: FileSystem.destination(of: file.path), name: file.path, busyTimeout: 2, makesFile: false)
        try connection.configure(logBytesKept: file.options.log.bytesKept)
        // The log is found by its name: that of another file by now must not go into this one.
        guard let identity, FileIdentity(of: file.path) == identity else { throw StorageError(.busy, path: file.path) }
        mover.connection = connection
        mover.identity = identity
        return connection
    }
}
