import ConvertECMAScript
public import ConvertSwiftSDK
public import ConvertSwiftSDKCore
public import Foundation

/// Keeps visitors in an SQLite file, so that they are known after a restart.
///
/// ```swift
/// let store = try SQLiteVisitorStore(file: URL(fileURLWithPath: "/var/lib/shop/visitors.sqlite"))
/// ```
///
/// **Sharing.** Any number of tasks and of processes on one machine may use one file at once; each change is read, merged
/// and written in one transaction. A file on a network file system is not supported. What several machines are to share
/// belongs into a database server, behind a `VisitorStore` of the app's own.
///
/// **Failure.** Every method throws `StorageError`. A corrupt file is renamed to `….corrupt-1` (or the next free number),
/// reported, and replaced by an empty one. The file survives the end of the process at any moment; a power failure may
/// take back the last few changes, but never harms the file.
///
/// **Cost.** A load or save takes a few tenths of a millisecond on a local disk, on a thread of the store's own, so it never holds up the
/// threads that tasks run on. Beside the file there are `…-wal` and `…-shm`, which belong to it, and an empty `….lock`.
public final class SQLiteVisitorStore: VisitorStore {
    /// Saves between two looks at how many visitors there are.
    static let savesPerCleaning = 1000

    private let file: StoreFile
    private let maximumCount: Int

    /// Opens the store, and makes the file and its folder if they are not there.
    ///
    /// - Parameters:
    ///   - file: the database file. It may also serve this machine's other SQLite stores.
    ///   - maximumCount: about how many visitors are kept, at least 1; beyond it those go that were not saved for longest.
    ///   - report: is told when the store healed itself, on any thread. By default it is printed to standard error.
    /// - Throws: `StorageError` if the file cannot be opened, or is not to be touched.
    public convenience init(
        file: URL, maximumCount: Int = 1_000_000,
        report: @escaping @Sendable (StoreDiagnostic) -> Void = StoreDiagnostic.printToStandardError
    ) throws {
        try self.init(file: file, maximumCount: maximumCount, options: StoreFile.Options(), report: report)
    }

    init(
        file: URL, maximumCount: Int, options: StoreFile.Options,
        report: @escaping @Sendable (StoreDiagnostic) -> Void
    ) throws {
        self.maximumCount = max(1, maximumCount)
        self.file = try StoreFile(file, options: options, report: report)
    }

    /// The record stored under `key`, or `nil` if there is none.
    /// - Throws: `StorageError`; `malformedRecord` if something else has written to the record.
    public func load(_ key: String) async throws -> VisitorState? {
        try await file.performInBackground { connection in
            try Self.record(Data(key.utf8), connection)
        }
    }

    /// Merges `changes` over the record under `key`. A record that cannot be read is replaced.
    /// - Throws: `StorageError` if nothing was stored.
    public func save(_ changes: VisitorState, for key: String) async throws {
        let key = Data(key.utf8)
        let maximumCount = maximumCount
        try await file.performInBackground { connection in
            try connection.transaction {
                let stored = (try? Self.record(key, connection)) ?? VisitorState()
                let record = ECMAScript.jsonText(of: .object(stored.merging(changes).json))
                // A new number each time, so that the numbers tell who was saved when.
                try connection.statement("INSERT OR REPLACE INTO visitors (key, record) VALUES (?, ?)")
                    .run(.data(key), .data(Data(record.utf8)))
                if connection.lastInsertedRow % Int64(Self.savesPerCleaning) == 0 {
                    try Self.forgetOldest(beyond: maximumCount, connection)
                }
            }
        }
    }

    private static func record(_ key: Data, _ connection: Connection) throws -> VisitorState? {
        let record = try connection.statement("SELECT record FROM visitors WHERE key = ?")
            .first(.data(key)) { $0.data(0) }
        guard let record else { return nil }
        do {
            return try JSONDecoder().decode(VisitorState.self, from: record)
        } catch {
            throw StorageError(.malformedRecord, path: connection.path)
        }
    }

    private static func forgetOldest(beyond maximumCount: Int, _ connection: Connection) throws {
        try connection.statement(
            """
            DELETE FROM visitors WHERE number <=
                (SELECT number FROM visitors ORDER BY number DESC LIMIT 1 OFFSET ?)
            """
        ).run(.integer(Int64(maximumCount)))
        try connection.giveRoomBack()
    }
}
