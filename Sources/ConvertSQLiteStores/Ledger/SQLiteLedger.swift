public import ConvertLedgers
package import ConvertConcurrency
public import ConvertSwiftSDKCore
public import Foundation

/// Keeps visitors and undelivered tracking events in an SQLite file.
///
/// ```swift
/// let ledger = try SQLiteLedger(file: URL(fileURLWithPath: "/var/lib/shop/convert.sqlite"))
/// ```
///
/// **Durability.** Entries whose outcomes ``commit(_:)`` has returned survive `kill -9`: each is there, whole and once,
/// when the ledger is opened again. With `.powerFailure` they survive a power failure too; then every commit waits for
/// the disk.
///
/// **One owner.** This object owns the file until it is closed or deallocated, or its process ends. A lock on the file
/// `….owner` beside the database excludes others; symbolic links are resolved first. Opening the file a second time, in
/// this process or another, throws `inUse`. A commit throws it as well if the lock file was deleted and another process
/// has become the owner. A file with several hard links is refused: SQLite would keep a log for each name.
///
/// **Files.** `…-wal` and `…-shm` beside the database belong to it. If you move the database while it is in use or
/// after a kill, move them too. `sqlite3 FILE .backup` makes a complete copy at any time. If one of the files is
/// deleted or replaced while in use, the next call throws `replaced` and reports it; later calls use the file at the
/// path, or a new one. The contents of a deleted log are moved into the database first.
///
/// **Failure.** Methods throw `StorageError` or `LedgerError`. A corrupt file is renamed to `….corrupt-1` (or the next
/// free number), reported, and replaced by an empty one.
///
/// **Retention and forgetting.** Old visitors are removed in steps between commits. Removed data is overwritten in the
/// file. The article *What is kept, where, and for how long* of `ConvertSwiftSDK` has the details.
///
/// **Cost.** All calls wait on the ledger's own threads. `convert-benchmarks S-ledger` measures them on your disk. The
/// log grows to about 64 MB at most, unless another program reads in one long transaction, which is reported.
///
/// **Thread safety.** All methods can be called from any task.
public final class SQLiteLedger: Ledger {
    /// The events that stored entries survive.
    public enum Durability: Sendable {
        /// The end of the process at any moment. A power failure may lose the most recent entries.
        case processEnd
        /// Power failures as well: every commit waits for the disk (`fsync` on Linux, `F_FULLFSYNC` on Apple's
        /// systems).
        case powerFailure
    }

    private let writing: Confined<LedgerFile>
    private let reading: Confined<Connection?>
    private let reports: StoreReports

    /// Opens the ledger, or creates the file and its folder. Blocks the caller's thread while it reads the disk.
    ///
    /// - Parameters:
    ///   - file: the database file, which nothing else may use.
    ///   - durability: what stored entries survive.
    ///   - maximumVisitorCount: the maximum number of visitors. Values below 1 become 1.
    ///   - maximumVisitorAge: how long a visitor is kept after the last entry, in whole days; `nil` keeps visitors
    ///     forever. Values below a day become a day.
    ///   - earlier: files of version 0.1.0 to import, unless an import was done before. They are not changed.
    ///   - report: called on any thread when something about the file needs attention. By default the SDK logs it.
    /// - Throws: `StorageError`: `inUse` if the file has an owner, others if the file cannot be opened or must not be
    ///   changed.
    public convenience init(
        file: URL, durability: Durability = .processEnd, maximumVisitorCount: Int = 1_000_000,
        maximumVisitorAge: Duration? = nil, importing earlier: EarlierFiles? = nil,
        report: (@Sendable (StoreDiagnostic) -> Void)? = nil
    ) throws {
        var options = LedgerFile.Options()
        options.durability = durability
        options.maximumVisitorCount = max(1, maximumVisitorCount)
        options.maximumVisitorAge = maximumVisitorAge.map { max(1, $0.components.seconds / 86_400) }
        options.earlier = earlier
        try self.init(file: file, options: options, report: report)
    }

    init(file: URL, options: LedgerFile.Options, report: (@Sendable (StoreDiagnostic) -> Void)?) throws {
        reports = StoreReports(report)
        let file = try LedgerFile(file, options: options, report: reports.report)
        reading = file.reading
        writing = Confined(file, label: "ConvertSQLiteStores.LedgerWriter")
        tidy()
    }

    /// Begins a new owner, and returns its number.
    public func begin() async throws -> UInt32 { try await writing.perform { try $0.begin() } }

    /// The stored state of a visitor; `nil` if nothing is stored or the record cannot be read.
    public func visitor(_ key: String) async throws -> VisitorState? {
        try await read { connection in
            let state = try LedgerFile.row(of: Data(key.utf8), connection)?.state
            return state?.isEmpty == true ? nil : state
        }
    }

    /// Stores entries in one transaction, and returns their outcomes once they are durable.
    /// - Throws: `StorageError` if they may not be stored; `LedgerError.ownerHasEnded` if the file has a later owner;
    ///   `LedgerError.isClosed`.
    public func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
        try await write { try $0.commit(entries) }
    }

    /// Up to `limit` undelivered events after the one with `id`, in the order of their ids. `nil` begins with the
    /// oldest. Includes the events of earlier owners.
    public func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try await read { try LedgerFile.events(after: id?.rawValue ?? 0, limit: max(1, limit), $0) }
    }

    /// Removes the events with these ids.
    public func remove(_ ids: [EventID]) async throws { try await write { try $0.remove(ids) } }

    /// Removes a visitor and the visitor's undelivered events, and overwrites them in the file.
    public func forget(_ key: String) async throws { try await write { try $0.forget(key) } }

    /// Moves the log into the database and releases the file, which can be opened again at once. Later calls throw
    /// `LedgerError.isClosed`.
    public func close() async { _ = try? await writing.perform { $0.close() } }

    private func write<Result: Sendable>(
        _ body: @escaping @Sendable (LedgerFile) throws -> Result
    ) async throws -> Result {
        defer { tidy() }
        return try await writing.perform { try body($0) }
    }

    /// Runs `body` while commits may run. If it fails, repeats it on the writing connection, which repairs the file if
    /// possible.
    private func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        let found = try? await reading.perform { connection in try connection.map(body) }
        if let found { return found }
        return try await writing.perform { file in try file.transaction { try body($0) } }
    }

    private func tidy() {
        writing.enqueue { file in if file.tidy() { self.tidy() } }
    }
}

extension SQLiteLedger: ReportSource {
    package func report(to log: @escaping @Sendable (Report) -> Void) { reports.report(to: log) }
}
