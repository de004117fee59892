import ConvertECMAScript
public import ConvertSwiftSDK
public import ConvertSwiftSDKCore
public import Foundation
import ConvertConcurrency

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
/// **Cost.** A load or save takes a few tenths of a millisecond on a local disk, on a thread of the store's own, so it
/// never holds up the threads that tasks run on; saves that wait for each other share a transaction. Beside the file there
/// are `…-wal` and `…-shm`, which belong to it, and an empty `….lock`.
public final class SQLiteVisitorStore: VisitorStore {
    /// Saves between two looks at how many visitors there are.
    static let savesPerCleaning = 1000

    /// The most saves in one transaction: other processes wait while it lasts.
    static let savesPerTransaction = 128

    private struct Save {
        let key: Data
        let changes: VisitorState
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let file: StoreFile
    /// Saves that no transaction has taken yet, in order.
    private let waiting = Mutex<[Save]>([])
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
        try await withCheckedThrowingContinuation { continuation in
            let save = Save(key: Data(key.utf8), changes: changes, continuation: continuation)
            let isFirst = waiting.withLock { waiting in
                waiting.append(save)
                return waiting.count == 1
            }
            if isFirst { file.inBackground { self.saveWaiting() } }
        }
    }

    /// Saves what waits in one transaction: a commit costs as much as many changes.
    private func saveWaiting() {
        let saves = waiting.withLock { $0.prefix(Self.savesPerTransaction) }
        let maximumCount = maximumCount
        let result = Result<Void, any Error> {
            try file.perform { connection in
                try connection.transaction {
                    for save in saves { try Self.store(save, maximumCount: maximumCount, connection) }
                }
            }
        }
        // They leave only now, so that a save that comes meanwhile does not begin a second round.
        let hasMore = waiting.withLock { waiting in
            waiting.removeFirst(saves.count)
            return !waiting.isEmpty
        }
        // Behind the loads that were asked for meanwhile.
        if hasMore { file.inBackground { self.saveWaiting() } }
        for save in saves { save.continuation.resume(with: result) }
    }

    private static func store(_ save: Save, maximumCount: Int, _ connection: Connection) throws {
        let stored = (try? record(save.key, connection)) ?? VisitorState()
        let record = ECMAScript.jsonText(of: .object(stored.merging(save.changes).json))
        // A new number each time, so that the numbers tell who was saved when.
        try connection.statement("INSERT OR REPLACE INTO visitors (key, record) VALUES (?, ?)")
            .run(.data(save.key), .data(Data(record.utf8)))
        if connection.lastInsertedRow % Int64(savesPerCleaning) == 0 {
            try forgetOldest(beyond: maximumCount, connection)
        }
    }

    private static func record(_ key: Data, _ connection: Connection) throws -> VisitorState? {
        let record = try connection.statement("SELECT record FROM visitors WHERE key = ?")
            .first(.data(key)) { $0.data(0) }
        guard let record else { return nil }
        do {
            return try VisitorState(json: record)
        } catch {
            throw StorageError(.malformedRecord, path: connection.name)
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
