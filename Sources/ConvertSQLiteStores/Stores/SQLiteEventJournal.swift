package import ConvertConcurrency
public import ConvertSwiftSDK
public import Foundation

/// Keeps accepted tracking events in an SQLite file until they are delivered.
///
/// ```swift
/// let journal = try SQLiteEventJournal(file: URL(fileURLWithPath: "/var/lib/shop/events.sqlite"))
/// ```
///
/// **What is promised.** What `append` has returned for survives `kill -9` and is there when the journal is opened again.
/// With `.powerFailure` it survives a power failure too, for the price of waiting for the disk each time.
///
/// **One owner.** The journal is this object's alone until it is released or its process ends, however it ends: a lock on
/// `….owner`, beside the file that links lead to, sees to that. Opening it a second time, in this process or another,
/// throws `inUse`. A file with several names (hard links) is refused: SQLite would keep a log for each. A lock that is deleted
/// is taken anew after the next append; another process that is faster becomes the owner.
///
/// **Files.** Events arrive in two files beside the database, `…-arrivals-1` and `…-arrivals-2`, and most leave them within
/// seconds, because they are delivered. Only those that stay get into the database, and all of them at an orderly end, unless
/// another process keeps it locked for a second then. So another
/// program that reads the database does not see what came last, and after `kill -9` the files belong to it: whoever moves the
/// database moves them along. If they are deleted or renamed while in use, they are made anew within a tenth of a second of the
/// next append, with the events that are in them; an orderly end saves these as well.
///
/// **Failure.** Every method throws `StorageError`, and has changed nothing then. A corrupt database is renamed to
/// `….corrupt-1` (or the next free number) and replaced by an empty one; the report says where the undelivered events are. Of
/// another file that is damaged, what is before the damage is kept, and a copy of the whole. What is missing, or out of its
/// range, is mended and reported; events keep their order.
///
/// **Cost.** Appending is one write to the operating system, on the caller's thread.
/// The first call after opening waits for the database, up to a second if another process keeps it locked, and fails then. So
/// do calls while 68 MB of events wait, as in a long outage, or if it stays locked for a million events. The SDK appends what
/// several threads track at once in one call.
/// `convert-benchmarks S-journal` measures it on your disk. The files give room back after events were removed; the
/// database's log stays below 128 MB: a reader that keeps a transaction open for longer is reported, and events do not get
/// into the database until it ends.
public final class SQLiteEventJournal: EventJournal {
    /// What accepted events survive.
    public enum Durability: Sendable {
        /// The end of the process at any moment. A power failure may lose the last few events.
        case processEnd
        /// The loss of power as well: every append waits for the disk, for milliseconds. It calls `fsync` on Linux, and on
        /// Apple's systems `F_FULLFSYNC`, because `fsync` does not wait for the disk's own cache there. Where the file system
        /// refuses that, as those of networks may, it calls `fsync`. That holds for events; decisions and
        /// goals leave the journal once the visitor store has them, and a power failure then may take back the last few.
        case powerFailure
    }

    private let rows: EventRows
    private let reports: StoreReports

    /// Opens the journal, and makes the file and its folder if they are not there.
    ///
    /// - Parameters:
    ///   - file: the database file.
    ///   - durability: what accepted events survive.
    ///   - report: called when the journal healed itself, on any thread. By default the SDK logs it; see `StoreDiagnostic`.
    /// - Throws: `StorageError`: `inUse` if the journal has an owner, others if the file cannot be opened or is not to be
    ///   touched.
    public convenience init(
        file: URL, durability: Durability = .processEnd,
        report: (@Sendable (StoreDiagnostic) -> Void)? = nil
    ) throws {
        var options = StoreFile.Options()
        if case .powerFailure = durability { options.durability = .power }
        try self.init(file: file, options: options, report: report)
    }

    init(
        file: URL, options: StoreFile.Options, report: (@Sendable (StoreDiagnostic) -> Void)?
    ) throws {
        guard file.isFileURL else { throw StorageError(.cannotOpen, path: file.absoluteString) }
        try FileSystem.makeFolder(of: file.path)
        let place = FileSystem.destination(of: file.path)
        if FileSystem.isHardLinked(place) { throw StorageError(.hardLinked, path: file.path) }
        reports = StoreReports(report)
        rows = try EventRows(file, at: place, options: options, report: reports.report)
    }

    deinit { rows.close() }

    /// What SQLite was asked to wait for: `synchronous`, `fullfsync` and `checkpoint_fullfsync`.
    var syncSettings: [Int64] {
        get throws {
            try rows.file.perform {
                try [
                    $0.integer("PRAGMA synchronous"), $0.integer("PRAGMA fullfsync"),
                    $0.integer("PRAGMA checkpoint_fullfsync"),
                ]
            }
        }
    }

    /// Appends events in order, all of them or none.
    ///
    /// Safe to call from any thread. It seldom has to wait for other processes, for a second at most.
    /// - Returns: one id per record, in order.
    /// - Throws: `StorageError` if nothing was appended.
    public func append(_ records: [Data]) throws -> [Int64] { try rows.append(records) }

    /// The oldest events whose id is above `id`, in order; at most `limit`.
    /// - Throws: `StorageError` if they cannot be read.
    public func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        try await rows.rows(after: id, limit: limit)
    }

    /// Forgets events. Ids that are not there are ignored.
    /// - Throws: `StorageError` if not all of them were removed; of many, the first ones may be.
    public func remove(_ ids: [Int64]) async throws { try await rows.remove(ids) }
}

extension SQLiteEventJournal: RowWritingJournal {
    package func append(_ count: Int, writingEach write: (Int, inout JSONBytes) -> Void) throws -> Int64 {
        try rows.append(count, writingEach: write)
    }
}

extension SQLiteEventJournal: ReportSource {
    package func report(to log: @escaping @Sendable (Report) -> Void) { reports.report(to: log) }
}
