import ConvertConcurrency

extension StoreFile {
    /// The connection. Opens it again if another file is at the path by now.
    static func connection(
        _ owned: inout Owned, _ path: String, _ options: Options, _ reports: inout [StoreDiagnostic],
        corrupt: FileIdentity? = nil
    ) throws -> Connection {
        if let connection = owned.connection {
            // Writes to a file that was deleted, or set aside by another process, would be lost.
            if FileIdentity(of: path) == owned.identity { return connection }
            owned.connection = nil
            reports.append(.databaseReplaced(path: path))
        }
        let connection = try open(path, options, &reports, corrupt: corrupt)
        let identity = FileIdentity(of: path)
        let mover = try Connection(
            path: FileSystem.destination(of: path), name: path, busyTimeout: 2, makesFile: false)
        try mover.configure(options.log)
        // SQLite finds the log by its name. Another file's log must not be moved into this database.
        guard identity == FileIdentity(of: path) else { throw StorageError(.busy, path: path) }
        owned.log.use(mover)
        owned.connection = connection
        owned.identity = identity
        return connection
    }

    /// Opens the database. A corrupt database, or the one that `corrupt` identifies, is replaced by a new one.
    private static func open(
        _ path: String, _ options: Options, _ reports: inout [StoreDiagnostic], corrupt: FileIdentity?
    ) throws -> Connection {
        try FileSystem.makeFolder(of: path)
        // The resolved path: SQLite keeps the log beside it, and a corrupt file is renamed there.
        let place = FileSystem.destination(of: path)
        // Without the lock, two processes that find the file corrupt would each set aside the other's new file.
        let lock = try FileLock(place + ".lock", for: path, patience: max(options.busyTimeout, 0), orElse: .busy)
        defer { withExtendedLifetime(lock) {} }
        FileSystem.makeFile(place)
        do {
            // The first page may be intact although others are not. If another file is at the path by now, the corrupt
            // one was replaced already.
            if let corrupt, FileIdentity(of: path) == corrupt { throw StorageError(.corrupt, path: path) }
            return try openIntact(place, as: path, options)
        } catch let error as StorageError where error.code == .corrupt || error.isAboutTheSchema {
            let aside = try FileSystem.setAside(place, as: path)
            reports.append(.corruptDatabaseSetAside(path: path, movedTo: aside))
            FileSystem.makeFile(place)
            return try openIntact(place, as: path, options)
        }
    }

    private static func openIntact(_ place: String, as path: String, _ options: Options) throws -> Connection {
        let connection = try Connection(path: place, name: path, busyTimeout: options.busyTimeout)
        try Migrations.apply(to: connection)
        try connection.configure(options.log)
        // From now on, `perform` waits for other processes without holding the lock.
        connection.setBusyTimeout(0)
        connection.followLog()
        return connection
    }
}
