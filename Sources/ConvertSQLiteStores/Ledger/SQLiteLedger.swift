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
/// **What is promised.** What `commit` has returned for survives `kill -9` and is there, whole and once, when the
/// ledger is opened again. With `.powerFailure` it survives a power failure too, for the price of waiting for the disk
/// each time.
///
/// **One owner.** The file is this object's alone until it is closed or released, or its process ends: a lock on
/// `….owner`, beside the file that links lead to, keeps others out. Opening it a second time, in this process or
/// another, throws `inUse`. So does a commit after the lock was deleted, if another process has become the owner
/// meanwhile. A file with several names (hard links) is refused: SQLite would keep a log for each.
///
/// **Files.** Beside the database are `…-wal` and `…-shm`, which belong to it: if you move the database while it is in
/// use or after a kill, move them along. `sqlite3 FILE .backup` makes a complete copy at any time. If one of the files
/// is deleted or replaced while in use, the call that meets it throws `replaced`, which is reported, and the next one
/// uses what is at the path, or a new file. What a deleted log held is moved into the database before.
///
/// **Failure.** Methods throw `StorageError`. A corrupt file is renamed to `….corrupt-1` (or the next free number),
/// reported, and replaced by an empty one.
///
/// **Retention.** Once there are too many visitors, those whose last entry is the oldest are removed. After that,
/// visitors without an entry for too many days are removed. Both are done in steps between commits.
///
/// **Forgetting.** What is forgotten or removed is overwritten in the file, and `forget` empties the log. Copies that
/// SQLite may have left where it divided a page are gone once the ledger is closed: then, and only if a visitor was
/// forgotten, the whole file is written anew, which takes some seconds for a million visitors, and room for a second
/// copy. Back-ups are the app's.
///
/// **Cost.** All calls wait on threads of the ledger's own. `convert-benchmarks S-ledger` measures them on your disk.
/// The log is about 64 MB long at most, unless another program reads in one long transaction, which is reported.
public final class SQLiteLedger: Ledger {
    /// What stored entries survive.
    public enum Durability: Sendable {
        /// The end of the process at any moment. A power failure may lose what was stored in the last moments.
        case processEnd
        /// The loss of power as well: every commit waits for the disk. That is `fsync` on Linux and `F_FULLFSYNC` on
        /// Apple's systems.
        case powerFailure
    }

    private let writing: Confined<LedgerFile>
    private let reading: Confined<Connection?>
    private let reports: StoreReports

    /// Opens the ledger, and makes the file and its folder if they are not there. It waits for the disk.
    ///
    /// - Parameters:
    ///   - file: the database file. It is the ledger's alone.
    ///   - durability: what stored entries survive.
    ///   - maximumVisitorCount: how many visitors are kept, at least 1.
    ///   - maximumVisitorAge: how long a visitor is kept after the last entry, in whole days, at least 1; `nil` for
    ///     ever.
    ///   - earlier: files of version 0.1.0 whose contents are taken over once, unless that was done before. They stay
    ///     as they are.
    ///   - report: called when something about the file needs attention, on any thread. By default the SDK logs it.
    /// - Throws: `StorageError`: `inUse` if the ledger has an owner, others if the file cannot be opened or is not to
    ///   be touched.
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

    /// Begins another owner.
    /// - Throws: `StorageError`.
    public func begin() async throws -> UInt32 { try await writing.perform { try $0.begin() } }

    /// What is stored about a visitor, or `nil`. A record that cannot be read counts as an empty one.
    /// - Throws: `StorageError`.
    public func visitor(_ key: String) async throws -> VisitorState? {
        try await read { connection in
            let state = try LedgerFile.row(of: Data(key.utf8), connection)?.state
            return state?.isEmpty == true ? nil : state
        }
    }

    /// Stores entries in one transaction, and returns once they are safe.
    /// - Throws: `StorageError` if it is not known that they are.
    public func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] {
        try await write { try $0.commit(entries) }
    }

    /// The oldest undelivered events, those of earlier owners included, in the order of their ids.
    /// - Throws: `StorageError`.
    public func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] {
        try await read { try LedgerFile.events(after: id?.rawValue ?? 0, limit: limit, $0) }
    }

    /// Removes events.
    /// - Throws: `StorageError`.
    public func remove(_ ids: [EventID]) async throws { try await write { try $0.remove(ids) } }

    /// Removes a visitor and the visitor's undelivered events, and overwrites them in the file.
    /// - Throws: `StorageError`.
    public func forget(_ key: String) async throws { try await write { try $0.forget(key) } }

    /// Moves the log into the database and gives the file back. It may be opened again at once.
    public func close() async { _ = try? await writing.perform { $0.close() } }

    private func write<Result: Sendable>(
        _ body: @escaping @Sendable (LedgerFile) throws -> Result
    ) async throws -> Result {
        defer { tidy() }
        return try await writing.perform { try body($0) }
    }

    /// Runs `body` beside commits. If that fails, the connection that writes finds out why, and mends what can be
    /// mended.
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
