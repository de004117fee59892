package import ConvertConcurrency
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
/// and written in one transaction. A file on a network file system is not supported. Several machines share visitors with
/// `PostgresVisitorStore`, or with a `VisitorStore` of the app's own.
///
/// **Failure.** Every method throws `StorageError`. A corrupt file is renamed to `….corrupt-1` (or the next free number),
/// reported, and replaced by an empty one. The file survives the end of the process at any moment; a power failure may
/// take back the last few changes, but never harms the file.
///
/// **Cost.** A load or save takes a few tenths of a millisecond on a local disk, on a thread of the store's own, so it
/// never holds up the threads that tasks run on; saves that wait for each other share a transaction. With a million
/// visitors it is the same: visitors beyond the limit are forgotten a few at a time, and the file gives their room back. Beside the file
/// there are `…-wal` and `…-shm`, which belong to it, and an empty `….lock`.
public final class SQLiteVisitorStore: VisitorStore {
    /// The most visitors that are forgotten in one transaction.
    private static let visitorsForgottenAtOnce = 64

    /// The most saves in one transaction: other processes wait while it lasts.
    static let savesPerTransaction = 128

    /// The most loads in one transaction.
    private static let loadsPerTransaction = 128

    private struct Save {
        let key: Data
        let changes: VisitorState
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Load {
        let key: Data
        let continuation: CheckedContinuation<VisitorState?, any Error>
    }

    private let file: StoreFile
    private let reports: StoreReports
    /// Loads that nobody has begun yet, in order.
    private let waitingLoads = Mutex<[Load]>([])
    /// Saves that no transaction has taken yet, in order.
    private let waiting = Mutex<[Save]>([])
    private let maximumCount: Int

    /// Opens the store, and makes the file and its folder if they are not there.
    ///
    /// - Parameters:
    ///   - file: the database file. It may also serve this machine's other SQLite stores.
    ///   - maximumCount: how many visitors are kept, at least 1; beyond it those go that were not saved for longest.
    ///   - report: called when the store healed itself, on any thread. By default the SDK logs it; see `StoreDiagnostic`.
    /// - Throws: `StorageError` if the file cannot be opened, or is not to be touched.
    public convenience init(
        file: URL, maximumCount: Int = 1_000_000,
        report: (@Sendable (StoreDiagnostic) -> Void)? = nil
    ) throws {
        try self.init(file: file, maximumCount: maximumCount, options: StoreFile.Options(), report: report)
    }

    init(
        file: URL, maximumCount: Int, options: StoreFile.Options,
        report: (@Sendable (StoreDiagnostic) -> Void)?
    ) throws {
        let maximumCount = max(1, maximumCount)
        self.maximumCount = maximumCount
        reports = StoreReports(report)
        // A file may come with many more than it is to have from now on.
        self.file = try StoreFile(
            file, options: options,
            step: { connection in
                guard try RowCount.visitors.isOver(maximumCount, in: connection) else { return false }
                return try connection.transaction {
                    let excess = try RowCount.visitors.excess(over: maximumCount, in: connection)
                    try Self.forgetOldest(min(excess, Self.visitorsForgottenAtOnce), connection)
                    return excess > Self.visitorsForgottenAtOnce
                }
            }, report: reports.report)
    }

    /// The record stored under `key`, or `nil` if there is none. One that cannot be read, because something else has written
    /// to it, is forgotten, and that is reported.
    /// - Throws: `StorageError`.
    public func load(_ key: String) async throws -> VisitorState? {
        try await withCheckedThrowingContinuation { continuation in
            let load = Load(key: Data(key.utf8), continuation: continuation)
            let isFirst = waitingLoads.withLock { waiting in
                waiting.append(load)
                return waiting.count == 1
            }
            if isFirst { file.inBackground { self.loadWaiting() } }
        }
    }

    /// Reads what waits in one transaction, which costs as much as the reading of many.
    private func loadWaiting() {
        let loads = waitingLoads.withLock { waiting in
            let loads = Array(waiting.prefix(Self.loadsPerTransaction))
            waiting.removeFirst(loads.count)
            // Behind the saves that were asked for meanwhile.
            if !waiting.isEmpty { file.inBackground { self.loadWaiting() } }
            return loads
        }
        let found = Result {
            try file.perform { connection in
                try connection.reading { try loads.map { try Self.storedBytes($0.key, connection) } }
            }
        }
        for (index, load) in loads.enumerated() {
            load.continuation.resume(with: found.map { $0[index].flatMap { self.state($0, of: load.key) } })
        }
    }

    /// What the bytes stored under `key` say; a record that says nothing is forgotten.
    private func state(_ record: Data, of key: Data) -> VisitorState? {
        if let state = try? VisitorState(json: record) { return state }
        if (try? file.perform({ try Self.forget(key, record, $0) })) == true {
            file.reportLater([
                .databaseMended(path: file.path, what: "a visitor's record that could not be read was forgotten")
            ])
        }
        return nil
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
            if isFirst { file.inBackground { self.saveWaiting(until: nil) } }
        }
    }

    /// Saves what waits in one transaction: a commit costs as much as many changes.
    /// - Parameter end: when to give up waiting for another process; `nil` if it has not been met yet.
    private func saveWaiting(until end: ContinuousClock.Instant?) {
        let saves = waiting.withLock { $0.prefix(Self.savesPerTransaction) }
        let maximumCount = maximumCount
        let result = Result<Void, any Error> {
            let hasTooMany = try file.perform(patience: 0) { connection in
                try connection.transaction {
                    var added = 0
                    for save in saves where try Self.store(save, connection) { added += 1 }
                    guard added > 0 else { return false }
                    try RowCount.visitors.add(added, in: connection)
                    // As many go as come, and one more each, so that what is too much gets less.
                    let excess = try RowCount.visitors.excess(over: maximumCount, in: connection)
                    try Self.forgetOldest(min(excess, 2 * added), connection)
                    return excess > 2 * added
                }
            }
            if hasTooMany { file.upkeep.ask(for: file) }
        }
        if case .failure(let error as StorageError) = result, error.code == .busy {
            let end = end ?? .now + .milliseconds(file.options.busyTimeout)
            // Loads go on meanwhile.
            if ContinuousClock.now < end { return file.inBackground(after: 2) { self.saveWaiting(until: end) } }
        }
        // They leave only now, so that a save that comes meanwhile does not begin a second round.
        let hasMore = waiting.withLock { waiting in
            waiting.removeFirst(saves.count)
            return !waiting.isEmpty
        }
        // Behind the loads that were asked for meanwhile.
        if hasMore { file.inBackground { self.saveWaiting(until: nil) } }
        for save in saves { save.continuation.resume(with: result) }
    }

    /// Merges the changes over what is stored. Returns whether the visitor is new.
    private static func store(_ save: Save, _ connection: Connection) throws -> Bool {
        let bytes = try storedBytes(save.key, connection)
        let known = PlantedFault.isPlanted("save-replaces-record") ? nil : bytes
        let stored = known.flatMap { try? VisitorState(json: $0) } ?? VisitorState()
        let record = ECMAScript.jsonText(of: .object(stored.merging(save.changes).json))
        // A new number each time, so that the numbers tell who was saved when.
        try connection.statement("INSERT OR REPLACE INTO visitors (key, record) VALUES (?, ?)")
            .run(.data(save.key), .data(Data(record.utf8)))
        return bytes == nil
    }

    private static func storedBytes(_ key: Data, _ connection: Connection) throws -> Data? {
        try connection.statement("SELECT record FROM visitors WHERE key = ?").first(.data(key)) { $0.data(0) }
    }

    /// Forgets `record`, unless another process has replaced it. Returns whether it did.
    private static func forget(_ key: Data, _ record: Data, _ connection: Connection) throws -> Bool {
        try connection.transaction {
            try connection.statement("DELETE FROM visitors WHERE key = ? AND record = ?").run(
                .data(key), .data(record))
            let count = connection.changeCount
            try RowCount.visitors.add(-count, in: connection)
            return count > 0
        }
    }

    private static func forgetOldest(_ count: Int, _ connection: Connection) throws {
        if count <= 0 { return }
        try connection.statement(
            "DELETE FROM visitors WHERE number IN (SELECT number FROM visitors ORDER BY number LIMIT ?)"
        ).run(.integer(Int64(count)))
        try RowCount.visitors.add(-connection.changeCount, in: connection)
    }
}

extension SQLiteVisitorStore: ReportSource {
    package func report(to log: @escaping @Sendable (Report) -> Void) { reports.report(to: log) }
}
