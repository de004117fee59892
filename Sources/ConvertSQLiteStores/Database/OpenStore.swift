/// A store's connection, with the path and options to open the file again.
// Sendable: the mutex around the value permits one thread at a time, and no code keeps a reference outside the lock.
struct OpenStore: @unchecked Sendable {
    let path: String
    let options: StoreFile.Options
    let log: WriteAheadLog
    private var connection: Connection?
    private var identity: FileIdentity?
    private var reports: [StoreDiagnostic] = []

    init(path: String, options: StoreFile.Options, log: WriteAheadLog) {
        self.path = path
        self.options = options
        self.log = log
    }

    /// The reports since the last call.
    mutating func takeReports() -> [StoreDiagnostic] {
        defer { reports = [] }
        return reports
    }

    /// The connection. Opens it again if another file is at the path by now.
    mutating func current() throws -> Connection {
        if let connection {
            // Writes to a file that was deleted, or set aside by another process, would be lost.
            if FileIdentity(of: path) == identity { return connection }
            self.connection = nil
            reports.append(.databaseReplaced(path: path))
        }
        return try open()
    }

    /// Sets the database aside, and returns a connection to a new one.
    /// - Parameter error: an error of the connection. It is thrown if the database is not damaged.
    mutating func replacement(after error: StorageError) throws -> Connection {
        // An error in a statement does not mean that the file is damaged.
        if error.code != .corrupt, connection?.lacks(Schema.stores.uses) == false { throw error }
        let corrupt = identity
        connection = nil
        return try open(corrupt: corrupt)
    }

    /// Opens the database. Replaces it with a new one if it is corrupt, or if `corrupt` identifies it.
    private mutating func open(corrupt: FileIdentity? = nil) throws -> Connection {
        log.use(nil)
        try FileSystem.makeFolder(of: path)
        // The resolved path: SQLite keeps the log beside it, and a corrupt file is renamed there.
        let place = FileSystem.destination(of: path)
        // Without the lock, two processes that find the file corrupt would each set aside the other's new file.
        let lock = try FileLock(place + ".lock", for: path, patience: max(options.busyTimeout, 0), orElse: .busy)
        defer { withExtendedLifetime(lock) {} }
        do {
            // The first page may be intact although others are not. If another file is at the path by now, the corrupt
            // one was replaced already.
            if let corrupt, FileIdentity(of: path) == corrupt { throw StorageError(.corrupt, path: path) }
            return try openIntact(place)
        } catch let error as StorageError where error.code == .corrupt || error.isAboutTheSchema {
            let aside = try FileSystem.setAside(place, as: path)
            reports.append(.corruptDatabaseSetAside(path: path, movedTo: aside))
            return try openIntact(place)
        }
    }

    private mutating func openIntact(_ place: String) throws -> Connection {
        FileSystem.makeFile(place)
        let identity = FileIdentity(of: place)
        let new = try Connection(path: place, name: path, busyTimeout: options.busyTimeout)
        try Schema.stores.apply(to: new)
        try new.configure(options.log)
        // From now on, `perform` waits for other processes without holding the lock.
        new.setBusyTimeout(0)
        new.followLog()
        let mover = try Connection(path: place, name: path, busyTimeout: options.busyTimeout, makesFile: false)
        try mover.configure(options.log)
        mover.setBusyTimeout(2)
        // SQLite finds the log by its name. Another file's log must not be moved into this database.
        guard identity == FileIdentity(of: path) else { throw StorageError(.busy, path: path) }
        log.use(mover)
        (connection, self.identity) = (new, identity)
        return new
    }
}
