import CConvertSQLite

/// One connection to a database file.
///
/// It has one owner, which uses it and its statements from one thread at a time; it has no lock.
@safe
final class Connection {
    /// The file's name in errors.
    let name: String

    // Open from `init` to `deinit`. Every statement retains the connection, so no statement outlives it.
    private let handle: OpaquePointer
    /// By the addresses of their literals: comparing or copying the text would cost as much as an index look-up.
    private var statements: [UnsafePointer<UInt8>: Statement.Handle] = unsafe [:]
    /// Whether transactions may begin. `false` while the log must not grow.
    var mayGrow = true

    /// Whether this connection has compared the store's counter with the rows that it counts.
    var isCountVerified = false

    /// The log's length in pages, as of the last commit.
    private(set) var logLength: Int32 = 0

    /// Opens the file.
    /// - Parameters:
    ///   - path: the file.
    ///   - name: the file's name in errors, if it is not the path.
    ///   - busyTimeout: how long an operation waits for other connections, in milliseconds.
    ///   - makesFile: whether to create the file if it does not exist.
    ///   - isReadOnly: whether the connection cannot write.
    init(
        path: String, name: String? = nil, busyTimeout: Int32, makesFile: Bool = true, isReadOnly: Bool = false
    ) throws(StorageError) {
        let name = name ?? path
        self.name = name
        // A single-threaded build of SQLite shares memory between connections without a lock.
        guard sqlite3_threadsafe() != 0 else { throw StorageError(.other, path: name, underlyingCode: SQLITE_MISUSE) }
        var opened: OpaquePointer?
        // Without SQLite's own mutex: the owner has one.
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        flags |= isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        if makesFile && !isReadOnly { flags |= SQLITE_OPEN_CREATE }
        let status = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened = unsafe opened else { throw StorageError(status: status, path: name) }
        guard status == SQLITE_OK else {
            let code = unsafe sqlite3_extended_errcode(opened)
            unsafe sqlite3_close_v2(opened)
            throw StorageError(status: code, path: name)
        }
        unsafe handle = unsafe opened
        setBusyTimeout(busyTimeout)
    }

    deinit {
        unsafe statements.values.forEach { unsafe sqlite3_finalize($0.pointer) }
        unsafe sqlite3_close_v2(handle)
    }

    /// Sets what all writing connections need.
    func configure(_ log: WriteAheadLog.Limits) throws(StorageError) {
        // A commit survives the end of the process, but not a power failure. Pages that leave the log must be on the
        // disk, or a power failure could damage the database. Only Apple's systems need a setting for that.
        try execute("PRAGMA synchronous = NORMAL; PRAGMA checkpoint_fullfsync = ON")
        // Cells that reach beyond their page are damage. Without this check, a search fails on them silently.
        try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        try execute("PRAGMA journal_size_limit = \(4096 * Int(log.longest))")
    }

    /// Returns some free pages to the disk if there are many; 1024 stay, because they are soon used again. Returns
    /// whether there were.
    func giveRoomBack() throws -> Bool {
        let free = try integer("PRAGMA freelist_count")
        guard try free > 1024 && 4 * free > integer("PRAGMA page_count") && integer("PRAGMA auto_vacuum") == 2
        else { return false }
        try transaction { try execute("PRAGMA incremental_vacuum(64)") }
        return true
    }

    /// Sets how long an operation waits for other connections, in milliseconds.
    func setBusyTimeout(_ milliseconds: Int32) { unsafe sqlite3_busy_timeout(handle, milliseconds) }

    /// Records the log's length after each commit, and leaves checkpoints to others.
    func followLog() {
        // This hook replaces the one with which SQLite makes checkpoints itself, on the thread that commits.
        unsafe sqlite3_wal_hook(
            handle,
            { context, _, _, length in
                guard let context = unsafe context else { return SQLITE_OK }
                unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().logLength = length
                return SQLITE_OK
            }, unsafe Unmanaged.passUnretained(self).toOpaque())
    }

    /// Sets whether the log remains when the last connection closes. SQLite deletes the log by its name, which may
    /// belong to another database's log by then.
    func setKeepsLog(_ keepsLog: Bool) {
        var value: Int32 = keepsLog ? 1 : 0
        unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &value)
    }

    /// Waits until everything written to the database file is on the disk. Returns whether that succeeded. The
    /// connection owns the file object that SQLite returns, and outlives the call.
    func syncDatabase() -> Bool {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let status = unsafe withUnsafeMutablePointer(to: &file) { place in
            unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, place)
        }
        guard status == SQLITE_OK, let file = unsafe file,
            let sync = unsafe file.pointee.pMethods?.pointee.xSync
        else { return false }
        return unsafe sync(file, SQLITE_SYNC_FULL) == SQLITE_OK
    }

    /// Moves the log into the database: as many pages as possible without waiting for readers or writers.
    /// - Parameter empties: whether to wait, move the whole log, and empty its file.
    /// - Returns: the log's length and how much of it is in the database, in pages; -1 if there is no log.
    /// - Throws: `StorageError` with `busy` if other connections prevent the checkpoint.
    @discardableResult
    func checkpoint(emptying empties: Bool = false) throws(StorageError) -> (length: Int32, moved: Int32) {
        var (length, moved): (Int32, Int32) = (-1, -1)
        let mode = empties ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let status = unsafe sqlite3_wal_checkpoint_v2(handle, "main", mode, &length, &moved)
        guard status == SQLITE_OK else { throw error(status) }
        return (length, moved)
    }

    /// Runs statements that take no values and return no rows.
    func execute(_ sql: String) throws(StorageError) {
        let status = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw error(status) }
    }

    /// Whether `sql` names a table or a column that does not exist, or the file is corrupt.
    func lacks(_ sql: String) -> Bool {
        do throws(StorageError) {
            try execute(sql)
            return false
        } catch {
            return error.code == .corrupt || error.isAboutTheSchema
        }
    }

    /// The statement for `sql`, prepared once per connection. `sql` must be a literal; everything that varies is bound.
    func statement(_ sql: StaticString) throws(StorageError) -> Statement {
        // The literal of a single character has no pointer.
        guard sql.hasPointerRepresentation else { throw error(SQLITE_MISUSE) }
        if let prepared = unsafe statements[sql.utf8Start] { return Statement(prepared, connection: self) }
        var pointer: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(
            handle, sql.description, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
        guard status == SQLITE_OK, let pointer = unsafe pointer else { throw error(status) }
        let prepared = unsafe Statement.Handle(pointer: pointer)
        unsafe statements[sql.utf8Start] = prepared
        return Statement(prepared, connection: self)
    }

    /// The integer that `sql` returns; 0 if there is no row.
    func integer(_ sql: StaticString) throws -> Int64 {
        try statement(sql).first { $0.integer(0) } ?? 0
    }

    /// The number of rows that the last statement changed.
    var changeCount: Int { unsafe Int(sqlite3_changes64(handle)) }

    /// Runs `body` in a transaction. Commits it, or rolls it back if `body` or the commit fails.
    ///
    /// Takes the write lock at once. So what `body` reads is current when it writes, and a conflict fails before any
    /// work is done.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        if !mayGrow { throw StorageError(.busy, path: name) }
        try statement("BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            try statement("COMMIT").run()
            return result
        } catch {
            // Some failures, such as a full disk, have rolled it back already.
            if unsafe sqlite3_get_autocommit(handle) == 0 {
                try? execute("ROLLBACK")
            }
            throw error
        }
    }

    /// The error for `status`.
    func error(_ status: Int32) -> StorageError { StorageError(status: status, path: name) }
}

extension StorageError {
    /// The error for an extended result code of SQLite.
    init(status: Int32, path: String) {
        let code: Code =
            switch status & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_READONLY, SQLITE_PERM: .readOnly
            case SQLITE_FULL: .full
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_IOERR: .inputOutput
            default: .other
            }
        self.init(code, path: path, underlyingCode: status)
    }

    /// Whether a statement failed because a table or something else that it names is missing, or for a mistake in it.
    var isAboutTheSchema: Bool { code == .other && underlyingCode.map { $0 & 0xFF == SQLITE_ERROR } == true }
}
