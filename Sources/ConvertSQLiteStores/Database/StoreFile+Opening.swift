import ConvertConcurrency

extension StoreFile {
    /// The connection, opened anew if the file is another one by now.
    static func connection(
        _ owned: inout Owned, _ path: String, _ options: Options, _ reports: inout [StoreDiagnostic],
        corrupt: FileIdentity? = nil
    ) throws -> Connection {
        if let connection = owned.connection {
            // What was written to a file that has been deleted, or set aside by another process, would be lost.
            if FileIdentity(of: path) == owned.identity { return connection }
            owned.connection = nil
            reports.append(.databaseReplaced(path: path))
        }
        let connection = try open(path, options, &reports, corrupt: corrupt)
        owned.connection = connection
        owned.identity = FileIdentity(of: path)
        return connection
    }

    /// Opens the database, and makes a new one in place of one that proves corrupt or is the `corrupt` one.
    private static func open(
        _ path: String, _ options: Options, _ reports: inout [StoreDiagnostic], corrupt: FileIdentity?
    ) throws -> Connection {
        try FileSystem.makeFolder(of: path)
        // Where links lead: there SQLite keeps the log, and there a corrupt file has to be renamed.
        let place = FileSystem.destination(of: path)
        // Two processes that set aside what both found corrupt would set aside each other's new file.
        let lock = try FileLock(place + ".lock", for: path, patience: max(options.busyTimeout, 0), orElse: .busy)
        defer { withExtendedLifetime(lock) {} }
        FileSystem.makeFile(place)
        do {
            // Its first page may be intact although others are not. If it is another file by now, it has been replaced.
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
        try connection.configure(logBytesKept: options.log.bytesKept)
        // From now on `perform` waits for others, without the lock.
        connection.setBusyTimeout(0)
        connection.followLog()
        return connection
    }
}
