import ConvertConcurrency

/// Moves a ledger's write-ahead log into its database (a checkpoint), on a thread and a connection of its own, so that
/// commits seldom wait for it.
final class LedgerLog: Sendable {
    /// Thresholds for the log, in pages of 4 KB.
    private enum Length {
        /// From this many new pages on, a checkpoint begins.
        static let moved: Int32 = 1000
        /// From this length on, the log restarts as soon as at most `rest` pages are left to move.
        static let renewed: Int32 = 8192
        static let rest: Int32 = 512
        /// 64 MB. From this length on, commits wait for the checkpoint.
        static let limit: Int32 = 16_384
        /// From this length on, a reader that prevents the restart is reported.
        static let held: Int32 = 4 * limit
    }

    private struct Progress {
        var isMoving = false
        /// The number of the log's pages that are in the database and on the disk.
        var moved: Int32 = 0
        /// The log's length at the last attempt to restart it.
        var tried: Int32 = 0
        var isHeldReported = false
    }

    private let connection = Confined<Connection?>(nil, label: "ConvertSQLiteStores.LedgerLog")
    private let progress = Mutex(Progress())
    /// Called if another program's long transaction prevents the restart of the log.
    private let reportHeld: @Sendable () -> Void

    init(reportHeld: @escaping @Sendable () -> Void) { self.reportHeld = reportHeld }

    /// Sets the connection for checkpoints; `nil` closes it.
    func use(_ new: Connection?) {
        connection.performAndWait { $0 = new }
        progress.withLock { $0 = Progress() }
    }

    /// Records the log's length. Called on the writer's thread, between two transactions.
    func note(_ writer: Connection) {
        let length = writer.logLength
        let (progress, isFirst) = self.progress.withLock { progress -> (Progress, Bool) in
            if length < progress.moved || length < progress.tried { (progress.moved, progress.tried) = (0, 0) }
            let isFirst = !progress.isMoving && length - progress.moved >= Length.moved
            if isFirst { progress.isMoving = true }
            return (progress, isFirst)
        }
        if isFirst { connection.enqueue { self.move($0) } }
        let isRetry = length - progress.tried >= Length.rest
        if length >= Length.limit, isRetry {
            moveNow()
            endLog(writer)
        } else if length >= Length.renewed, isRetry, !isFirst, length - progress.moved <= Length.rest {
            endLog(writer)
        }
        if length >= Length.held, !progress.isHeldReported {
            self.progress.withLock { $0.isHeldReported = true }
            reportHeld()
        }
    }

    /// Moves the log into the database and waits until that is done.
    func moveNow() { connection.performAndWait { move($0) } }

    private func move(_ connection: Connection?) {
        let moved = connection.flatMap { connection -> Int32? in
            let moved = try? connection.checkpoint(.passive).moved
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
        let moved = (try? writer.checkpoint(.passive))?.moved
        progress.withLock { progress in
            progress.tried = writer.logLength
            if let moved { progress.moved = moved }
        }
    }
}
