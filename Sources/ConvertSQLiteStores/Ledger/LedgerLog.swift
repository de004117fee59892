import ConvertConcurrency

/// Moves a ledger's write-ahead log into its database, on a thread and a connection of its own, so that commits seldom
/// wait for that.
final class LedgerLog: Sendable {
    /// Lengths of the log, in pages of 4 KB.
    private enum Length {
        /// From this number of new pages on the log is moved.
        static let moved: Int32 = 1000
        /// From here on the log is begun anew as soon as only `rest` is left to move.
        static let renewed: Int32 = 8192
        static let rest: Int32 = 512
        /// 64 MB. From here on commits wait until the log is moved.
        static let limit: Int32 = 16_384
        /// From here on a reader that holds the log is reported.
        static let held: Int32 = 4 * limit
    }

    private struct Progress {
        var isMoving = false
        /// How much of the log is in the database and on the disk.
        var moved: Int32 = 0
        /// The log's length when it was last to be begun anew.
        var tried: Int32 = 0
        var isHeldReported = false
    }

    private let connection = Confined<Connection?>(nil, label: "ConvertSQLiteStores.LedgerLog")
    private let progress = Mutex(Progress())
    /// Called if another program's long transaction keeps the log from being begun anew.
    private let reportHeld: @Sendable () -> Void

    init(reportHeld: @escaping @Sendable () -> Void) { self.reportHeld = reportHeld }

    /// Takes the connection for moving; `nil` closes it.
    func use(_ new: Connection?) {
        connection.performAndWait { $0 = new }
        progress.withLock { $0 = Progress() }
    }

    /// Takes note of the log's length. It is called on the writer's thread, between two transactions.
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

    /// Moves the log and waits for that.
    func moveNow() { connection.performAndWait { move($0) } }

    private func move(_ connection: Connection?) {
        let moved = connection.flatMap { connection -> Int32? in
            let moved = try? connection.checkpoint(.passive).moved
            // Unless all of the log was moved, SQLite leaves this to the last move, which the writer makes.
            return connection.syncDatabase() ? moved : nil
        }
        progress.withLock { progress in
            progress.isMoving = false
            if let moved { progress.moved = moved }
        }
    }

    /// Moves the rest. The next transaction then begins the log anew, unless somebody reads from it.
    private func endLog(_ writer: Connection) {
        let moved = (try? writer.checkpoint(.passive))?.moved
        progress.withLock { progress in
            progress.tried = writer.logLength
            if let moved { progress.moved = moved }
        }
    }
}
