import Foundation
import ConvertConcurrency

/// A database file that heals itself: made if it is not there, brought up to date, and set aside if it is corrupt.
///
/// One connection, behind a lock: operations are short, and SQLite admits one writer anyway.
final class StoreFile: Sendable {
    struct Options {
        /// How long an operation waits for other processes, in milliseconds.
        var busyTimeout: Int32 = 1000
        var durability = Connection.Durability.process
        /// The most pages that the file may have; `nil` as many as SQLite can.
        var maximumPageCount: Int?
    }

    let path: String

    private let options: Options
    private let report: @Sendable (StoreDiagnostic) -> Void
    private let connection: Mutex<Owned>
    /// Where asynchronous operations wait for the disk, instead of on the threads that all tasks share.
    private let queue = DispatchQueue(label: "ConvertSQLiteStores")

    // Sendable: the mutex that holds it gives it to one thread at a time, and nothing gives it further.
    private struct Owned: @unchecked Sendable {
        var connection: Connection?
        var identity: FileIdentity?
    }

    init(_ file: URL, options: Options = Options(), report: @escaping @Sendable (StoreDiagnostic) -> Void) throws {
        path = file.path
        self.options = options
        self.report = report
        guard file.isFileURL else { throw StorageError(.cannotOpen, path: file.absoluteString) }
        var reports: [StoreDiagnostic] = []
        var owned = Owned()
        _ = try Self.connection(&owned, path, options, &reports)
        connection = Mutex(owned)
        reports.forEach(report)
    }

    /// Runs `body` on this thread, alone with the connection.
    ///
    /// If the database turns out to be corrupt, or to lack something, it is set aside or mended, and `body` runs once more.
    func perform<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
        var reports: [StoreDiagnostic] = []
        defer { reports.forEach(report) }
        return try connection.withLock { owned in
            do {
                return try body(Self.connection(&owned, path, options, &reports))
            } catch let error as StorageError where Self.mayBeHealed(error, owned.connection) {
                let corrupt = error.code == .corrupt ? owned.identity : nil
                owned.connection = nil
                owned.identity = nil
                return try body(Self.connection(&owned, path, options, &reports, corrupt: corrupt))
            }
        }
    }

    /// Runs `body` as `perform` does, on a thread that may wait for the disk.
    func performInBackground<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            inBackground { continuation.resume(with: Swift.Result { try self.perform(body) }) }
        }
    }

    /// Runs `body` on the thread that may wait for the disk, after what it was given before.
    func inBackground(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Whether opening the database anew may help: that looks for what is missing or out of its range.
    private static func mayBeHealed(_ error: StorageError, _ connection: Connection?) -> Bool {
        if error.code == .corrupt || error.isAboutTheSchema { return true }
        // A table whose numbers are used up says that the disk is full.
        guard error.code == .full, let connection else { return false }
        return (try? Contents.isRight(connection)) == false
    }

    private static func connection(
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
            return try openIntact(place, as: path, options, &reports)
        } catch let error as StorageError where error.code == .corrupt || error.isAboutTheSchema {
            let aside = try FileSystem.setAside(place, as: path)
            reports.append(.corruptDatabaseSetAside(path: path, movedTo: aside))
            FileSystem.makeFile(place)
            return try openIntact(place, as: path, options, &reports)
        }
    }

    private static func openIntact(
        _ place: String, as path: String, _ options: Options, _ reports: inout [StoreDiagnostic]
    ) throws -> Connection {
        let connection = try Connection(path: place, name: path, busyTimeout: options.busyTimeout)
        let mended = try Migrations.apply(to: connection) + Contents.mend(connection)
        reports += mended.map { .databaseMended(path: path, what: $0) }
        try connection.execute("PRAGMA synchronous = \(options.durability.rawValue)")
        try connection.execute(
            "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 4194304")
        if let pages = options.maximumPageCount {
            try connection.execute("PRAGMA max_page_count = \(pages)")
        }
        return connection
    }
}
