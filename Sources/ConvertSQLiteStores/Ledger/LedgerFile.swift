import ConvertLedgers
import ConvertConcurrency
import Foundation

/// A ledger's database, for use on the writing thread.
///
/// It has one owner: a lock on `….owner` excludes others. A commit counts only if the file is still at its path
/// afterwards.
final class LedgerFile {
    struct Options: Sendable {
        var durability = SQLiteLedger.Durability.processEnd
        var maximumVisitorCount = 1_000_000
        /// In days; `nil` for no limit.
        var maximumVisitorAge: Int64?
        /// Files of version 0.1.0 to import when the ledger is created.
        var earlier: EarlierFiles?
        /// The maximum size of the file in pages; `nil` for SQLite's own maximum.
        var maximumPageCount: Int?
        /// Returns the current day as a number: whole days since 1970, in UTC.
        var today: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 / 86_400) }
    }

    /// How long a statement waits for other programs, in milliseconds.
    private static let busyTimeout: Int32 = 1000
    private let logLimits = WriteAheadLog.Limits()

    /// The path as given, for errors and reports; then the same path with symbolic links resolved.
    let path: String
    private let place: String
    let options: Options
    /// A connection for reading while the writing one is in use.
    let reading = Confined<Connection?>(nil, label: "ConvertSQLiteStores.LedgerReader")
    private let log: WriteAheadLog
    private let report: @Sendable (StoreDiagnostic) -> Void

    /// `nil` once the ledger is closed.
    private var lock: FileLock?
    private var connection: Connection?
    /// The identities of the connection's files: the database, its log, and the log's index.
    private var files: [FileIdentity?] = []
    /// The owner's number.
    private var owner: Int64 = 0
    /// SQLite's data version. It changes when another connection commits.
    private var dataVersion: Int64?
    private var wasSetAside = false
    /// When to try again to empty the log; `nil` if the log need not be emptied.
    private var clearingTime: ContinuousClock.Instant?

    /// The number of visitors while `dataVersion` is unchanged; `nil` if they have to be counted.
    var visitorCount: Int?
    /// The last day on which all visitors above the maximum age were removed.
    var tidyDay: Int64?

    /// Opens the file, or creates it.
    init(_ file: URL, options: Options, report: @escaping @Sendable (StoreDiagnostic) -> Void) throws {
        guard file.isFileURL else { throw StorageError(.cannotOpen, path: file.absoluteString) }
        path = file.path
        self.options = options
        self.report = report
        log = WriteAheadLog(logLimits) { [path] in report(.logHeld(path: path)) }
        try FileSystem.makeFolder(of: path)
        place = FileSystem.destination(of: path)
        lock = try FileLock(place + ".owner", for: path, patience: 0, orElse: .inUse)
        _ = try open()
    }

    /// Runs `body` in a transaction. Returns once its changes are durable.
    ///
    /// - Parameter isBeginning: whether `body` begins a new owner.
    /// - Throws: if the changes may not be durable. The next transaction reopens the file if that may help.
    func transaction<Result>(isBeginning: Bool = false, _ body: (Connection) throws -> Result) throws -> Result {
        try keepLock()
        let connection = try self.connection ?? open()
        do {
            let result = try connection.transaction {
                try noteOthers(connection, isBeginning: isBeginning)
                return try body(connection)
            }
            try checkFiles(connection)
            return result
        } catch {
            visitorCount = nil
            try recover(from: error, connection)
            throw error
        }
    }

    /// Begins a new owner.
    func begin() throws -> UInt32 {
        let next = try transaction(isBeginning: true) { connection in
            let next = max(owner, try highestOwner(in: connection)) + 1
            if !PlantedFault.isPlanted("owner-not-stored") {
                try connection.statement("UPDATE meta SET owner = ?").run(.integer(next))
            }
            return next
        }
        owner = next
        return UInt32(next)
    }

    /// Does the maintenance that is due between two transactions. Returns whether there is more to do.
    func tidy() -> Bool {
        guard let connection else { return false }
        log.note(connection)
        if let clearingTime, clearingTime <= .now { clearLog(patience: 0) }
        return (try? removeExcess(connection)) ?? false
    }

    /// Empties the log, so that no removed data stays in it.
    ///
    /// If another program's transaction prevents that, it is tried again after a commit, once a second and without
    /// waiting.
    /// - Parameter patience: how long to wait for other programs, in milliseconds.
    func clearLog(patience: Int32 = busyTimeout) {
        log.moveNow()
        guard let connection else { return }
        connection.setBusyTimeout(patience)
        defer { connection.setBusyTimeout(Self.busyTimeout) }
        clearingTime = (try? connection.checkpoint(emptying: true)) == nil ? .now + .seconds(1) : nil
    }

    /// Closes the file and releases the lock.
    func close() {
        guard lock != nil else { return }
        if let connection {
            let isInPlace = (try? checkFiles(connection)) != nil
            closeOthers()
            // `secure_delete` overwrites deleted data, but not the copies that SQLite leaves when it splits a page.
            if isInPlace, (try? connection.integer("SELECT forgot FROM meta")) == 1 {
                try? connection.execute("VACUUM; UPDATE meta SET forgot = 0")
            }
            // The last connection to close moves the log into the database, and deletes the log by its name.
            connection.setKeepsLog(!isInPlace)
        }
        discard()
        lock = nil
    }

    // MARK: The owner

    private func keepLock() throws {
        guard let lock else { throw LedgerError.isClosed }
        if lock.isInPlace { return }
        // Another process may be the owner by now. Then this throws, until that process has ended.
        try FileSystem.makeFolder(of: place)
        self.lock = try FileLock(place + ".owner", for: path, patience: 0, orElse: .inUse)
    }

    /// The highest owner's number so far. It leaves room for at least one higher number.
    /// - Throws: `StorageError` with `corrupt` if the number is out of range.
    private func highestOwner(in connection: Connection) throws -> Int64 {
        let owner = try connection.integer("SELECT owner FROM meta")
        guard (0..<(1 << 31) - 1).contains(owner) else { throw StorageError(.corrupt, path: path) }
        return owner
    }

    /// Imports files of version 0.1.0, unless that was done before. Returns the highest owner's number.
    private func prepare(_ connection: Connection) throws -> Int64 {
        try connection.statement("UPDATE meta SET owner = max(owner, ?), imported = max(imported, ?)")
            .run(.integer(owner), .integer(wasSetAside ? 1 : 0))
        guard connection.changeCount == 1 else { throw StorageError(.corrupt, path: path) }
        let highest = try highestOwner(in: connection)
        guard let earlier = options.earlier, try connection.integer("SELECT imported FROM meta") == 0
        else { return highest }
        try earlier.read(into: connection, owner: UInt32(clamping: highest + 1), today: options.today())
        try connection.execute("UPDATE meta SET owner = owner + 1, imported = 1")
        return highest + 1
    }

    private func noteOthers(_ connection: Connection, isBeginning: Bool) throws {
        let version = try connection.integer("PRAGMA data_version")
        if version == dataVersion { return }
        visitorCount = nil
        if !isBeginning, try connection.integer("SELECT owner FROM meta") != owner { throw LedgerError.ownerHasEnded }
        dataVersion = version
    }

    // MARK: Opening and healing

    private func open() throws -> Connection {
        do {
            return try openIntact()
        } catch let error as StorageError
            where error.path == path && (error.code == .corrupt || error.isAboutTheSchema)
        {
            try setAside()
            return try openIntact()
        }
    }

    private func openIntact() throws -> Connection {
        try FileSystem.makeFolder(of: place)
        if FileSystem.isHardLinked(place) { throw StorageError(.hardLinked, path: path) }
        FileSystem.makeFile(place)
        let identity = FileIdentity(of: place)
        let new = try newConnection()
        try Schema.ledger.apply(to: new)
        let highest = try new.transaction { try prepare(new) }
        // If the file replaced another, it may have a later owner. `noteOthers` finds that out.
        if owner == 0 { owner = highest }
        new.followLog()
        let reader = try newConnection()
        try reader.execute("PRAGMA query_only = ON")
        let mover = try newConnection()
        files = Self.files(at: place)
        guard let identity, identity == files[0] else { throw StorageError(.replaced, path: path) }
        reading.performAndWait { $0 = reader }
        log.use(mover)
        connection = new
        dataVersion = nil
        tidyDay = nil
        return new
    }

    private func newConnection() throws -> Connection {
        let connection = try Connection(path: place, name: path, busyTimeout: Self.busyTimeout, makesFile: false)
        connection.setKeepsLog(true)
        try connection.configure(logLimits)
        if options.durability == .powerFailure, !PlantedFault.isPlanted("sync-dropped") {
            try connection.execute("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
        }
        try connection.execute("PRAGMA secure_delete = ON; PRAGMA cache_size = -32000")
        if let pages = options.maximumPageCount { try connection.execute("PRAGMA max_page_count = \(pages)") }
        return connection
    }

    /// - Throws: unless the connection's files are at their paths. Otherwise a kill could lose its commits.
    private func checkFiles(_ connection: Connection) throws {
        if files == Self.files(at: place) { return }
        if files[0] == FileIdentity(of: place) {
            // Only the log was deleted. The connection still has it open, and moves it into the database.
            closeOthers()
            try connection.checkpoint(emptying: true)
        }
        throw StorageError(.replaced, path: path)
    }

    private func recover(from error: any Error, _ connection: Connection) throws {
        guard let error = error as? StorageError else { return }
        if isDamage(error) { return try setAside() }
        switch error.code {
        case .replaced:
            discard()
            report(.databaseReplaced(path: path))
        case .inputOutput: discard()
        // The log's pages may now fit into the database, so that the log can restart.
        case .full: _ = try? connection.checkpoint()
        default: break
        }
    }

    /// Whether the database is corrupt or lacks a table. A mistake in a statement is not damage.
    private func isDamage(_ error: StorageError) -> Bool {
        guard error.path == path else { return false }
        if error.code == .corrupt { return true }
        return error.isAboutTheSchema && (try? newConnection())?.lacks(Schema.ledger.uses) == true
    }

    private func setAside() throws {
        discard()
        let aside = try FileSystem.setAside(place, as: path)
        wasSetAside = true
        report(.corruptDatabaseSetAside(path: path, movedTo: aside))
    }

    /// Closes all connections.
    private func discard() {
        closeOthers()
        connection = nil
    }

    private func closeOthers() {
        reading.performAndWait { $0 = nil }
        log.use(nil)
    }

    private static func files(at place: String) -> [FileIdentity?] {
        ["", "-wal", "-shm"].map { FileIdentity(of: place + $0) }
    }
}
