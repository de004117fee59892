import ConvertConcurrency

/// Moves a database's write-ahead log into the database (a checkpoint), on a thread and a connection of its own, so
/// that commits seldom wait for it.
final class WriteAheadLog: Sendable {
    /// Lengths of the log, in pages of 4 KB.
    struct Limits {
        /// From this many new pages on, a checkpoint begins.
        var moved: Int32 = 1000
        /// From this length on, the log restarts as soon as at most `rest` pages are left to move.
        var renewed: Int32 = 8192
        /// 64 MB. From this length on, commits wait for the checkpoint. The log's file keeps this size when the log
        /// restarts: truncating and extending it would cost writers time.
        var longest: Int32 = 16_384
        /// From this length on, a reader that prevents the restart is reported.
        var held: Int32 = 65_536

        fileprivate static let rest: Int32 = 512
    }

    private struct Progress {
        var isMoving = false
        /// The log's length after the last commit.
        var length: Int32 = 0
        /// The number of the log's pages that are in the database and on the disk.
        var moved: Int32 = 0
        /// The log's length at the last attempt to restart it.
        var tried: Int32 = 0
        var isHeld = false
    }

    private let limits: Limits
    private let connection = Confined<Connection?>(nil, label: "ConvertSQLiteStores.WriteAheadLog")
    private let progress = Mutex(Progress())
    /// Called if another program's long transaction prevents the restart of the log.
    private let reportHeld: @Sendable () -> Void

    init(_ limits: Limits, reportHeld: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.reportHeld = reportHeld
    }

    /// Whether a reader prevents the restart of the log although the log has its maximum length.
    var isHeld: Bool { progress.withLock { $0.isHeld && $0.moved < $0.length } }

    /// Sets the connection for checkpoints; `nil` closes it.
    func use(_ new: Connection?) {
        connection.performAndWait { $0 = new }
        progress.withLock { $0 = Progress() }
    }

    /// Records the log's length. Called on the writer's thread, between two transactions. Returns whether a checkpoint
    /// begins.
    @discardableResult
    func note(_ writer: Connection) -> Bool {
        let length = writer.logLength
        let (progress, isNewlyHeld) = self.progress.withLock { progress in
            // The log has restarted.
            if length < progress.length || length < progress.moved { progress = Progress(isMoving: progress.isMoving) }
            let wasHeld = progress.isHeld
            progress.length = length
            progress.isHeld = length >= limits.held
            return (progress, progress.isHeld && !wasHeld)
        }
        let isFirst = !progress.isMoving && length - progress.moved >= limits.moved
        if isFirst { moveLater() }
        if length - progress.tried >= Limits.rest {
            let isLong = length >= limits.longest
            if isLong { moveNow() }
            if isLong || length >= limits.renewed && !isFirst && length - progress.moved <= Limits.rest {
                endLog(writer)
            }
        }
        if isNewlyHeld { reportHeld() }
        return isFirst
    }

    /// Moves the log into the database, without waiting for it.
    func moveLater() {
        let isFirst = progress.withLock { progress in
            defer { progress.isMoving = true }
            return !progress.isMoving
        }
        if isFirst { connection.enqueue { self.move($0) } }
    }

    /// Moves the log into the database and waits until that is done.
    func moveNow() { connection.performAndWait { move($0) } }

    private func move(_ connection: Connection?) {
        let moved = connection.flatMap { connection -> Int32? in
            let moved = try? connection.checkpoint().moved
            // A passive checkpoint syncs the database only if it moved the whole log. Without this sync, the writer's
            // last checkpoint would have to wait for the disk.
            return connection.syncDatabase() ? moved : nil
        }
        progress.withLock { progress in
            progress.isMoving = false
            if let moved { progress.moved = moved }
        }
    }

    /// Moves the rest of the log. The next transaction then restarts the log, unless a reader uses it.
    private func endLog(_ writer: Connection) {
        let moved = (try? writer.checkpoint())?.moved
        progress.withLock { progress in
            progress.tried = writer.logLength
            if let moved { progress.moved = moved }
        }
    }
}
