public import ConvertSwiftSDK
public import Foundation
import ConvertConcurrency

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
/// throws `inUse`. A file with several names (hard links) is refused: SQLite would keep a log for each.
///
/// **Failure.** Every method throws `StorageError`, and has changed nothing then. A corrupt file is renamed to
/// `….corrupt-1` (or the next free number) and replaced by an empty one; the report says where the undelivered events are.
/// What is missing, or out of its range, is mended and reported; events keep their order.
///
/// **Cost.** Appending takes about 0.1 ms for a small event on a local disk, on the caller's thread; calls wait for each
/// other, and up to a second for another process. Everything else runs on a thread of the journal's own.
public final class SQLiteEventJournal: EventJournal {
    /// What accepted events survive.
    public enum Durability: Sendable {
        /// The end of the process at any moment. A power failure may lose the last few events.
        case processEnd
        /// The loss of power as well: every append waits for the disk, for milliseconds.
        case powerFailure
    }

    private let owner: FileLock
    private let file: StoreFile
    /// The highest id given so far; a journal that is begun anew goes on from there.
    private let highestID = Mutex<Int64>(0)

    /// Opens the journal, and makes the file and its folder if they are not there.
    ///
    /// - Parameters:
    ///   - file: the database file.
    ///   - durability: what accepted events survive.
    ///   - report: is told when the journal healed itself, on any thread. By default it is printed to standard error.
    /// - Throws: `StorageError`: `inUse` if the journal has an owner, others if the file cannot be opened or is not to be
    ///   touched.
    public convenience init(
        file: URL, durability: Durability = .processEnd,
        report: @escaping @Sendable (StoreDiagnostic) -> Void = StoreDiagnostic.printToStandardError
    ) throws {
        var options = StoreFile.Options()
        if case .powerFailure = durability { options.durability = .power }
        try self.init(file: file, options: options, report: report)
    }

    init(
        file: URL, options: StoreFile.Options, report: @escaping @Sendable (StoreDiagnostic) -> Void
    ) throws {
        guard file.isFileURL else { throw StorageError(.cannotOpen, path: file.absoluteString) }
        try FileSystem.makeFolder(of: file.path)
        // Beside the file itself: the same one may be called by other names.
        let place = FileSystem.destination(of: file.path)
        if FileSystem.isHardLinked(place) { throw StorageError(.hardLinked, path: file.path) }
        owner = try FileLock(place + ".owner", for: file.path, patience: 0, orElse: .inUse)
        self.file = try StoreFile(file, options: options, report: report)
    }

    /// Appends events in order, all of them or none.
    ///
    /// Safe to call from any thread; it blocks the caller while another call or process writes, for a second at most.
    /// - Returns: one id per record, in order.
    /// - Throws: `StorageError` if nothing was appended.
    public func append(_ records: [Data]) throws -> [Int64] {
        if records.isEmpty { return [] }
        return try file.perform { connection in
            try highestID.withLock { highest in
                let ids = try connection.transaction {
                    try Self.beginSequence(above: highest, connection)
                    let insert = try connection.statement("INSERT INTO events (record) VALUES (?)")
                    return try records.map { record in
                        try insert.run(.data(record))
                        return connection.lastInsertedRow
                    }
                }
                highest = max(highest, ids.last ?? 0)
                return ids
            }
        }
    }

    /// The oldest events whose id is above `id`, in order; at most `limit`.
    /// - Throws: `StorageError` if they cannot be read.
    public func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        try await file.performInBackground { connection in
            var events: [JournaledEvent] = []
            try connection.statement("SELECT id, record FROM events WHERE id > ? ORDER BY id LIMIT ?")
                .forEach(.integer(id), .integer(Int64(max(1, limit)))) { row in
                    events.append(JournaledEvent(id: row.integer(0), record: row.data(1)))
                }
            return events
        }
    }

    /// Forgets events, all of `ids` or none. Ids that are not there are ignored.
    /// - Throws: `StorageError` if they were not removed.
    public func remove(_ ids: [Int64]) async throws {
        if ids.isEmpty { return }
        try await file.performInBackground { connection in
            try connection.transaction {
                let delete = try connection.statement("DELETE FROM events WHERE id = ?")
                for id in ids { try delete.run(.integer(id)) }
            }
            try connection.giveRoomBack()
        }
    }

    /// Makes the ids of a journal that has none yet start where no earlier one can have got to: an id that an owner still
    /// knows from a file that was lost must not name another event. Counting microseconds is ahead of any journal's ids.
    private static func beginSequence(above highest: Int64, _ connection: Connection) throws {
        guard try connection.integer("SELECT count(*) FROM sqlite_sequence WHERE name = 'events'") == 0 else { return }
        try Numbering.events.setLast(max(highest, Numbering.beginning), in: connection)
    }
}
