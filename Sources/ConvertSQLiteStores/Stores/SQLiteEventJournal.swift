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
/// **Cost.** Appending takes some 10 to 20 µs for a small event, on the caller's thread: it is given to the operating
/// system, and moved to its place on the disk by a thread of the journal's own. Calls wait for each other, and up to a second
/// for another process; the SDK appends what several threads track at once in one call. `convert-benchmarks S-journal` measures it on your disk. The file gives room back after events were
/// removed; its log stays below 128 MB: a reader that keeps a transaction open for longer is reported, and appends fail until
/// it ends.
public final class SQLiteEventJournal: EventJournal {
    /// What accepted events survive.
    public enum Durability: Sendable {
        /// The end of the process at any moment. A power failure may lose the last few events.
        case processEnd
        /// The loss of power as well: every append waits for the disk, for milliseconds. That holds for events; decisions and
        /// goals leave the journal once the visitor store has them, and a power failure then may take back the last few.
        case powerFailure
    }

    /// Ids that are reserved at once: to count each would write one more page with each append.
    private static let idsReserved: Int64 = 1024
    /// Rows that are read before others get at the database.
    private static let rowsReadAtOnce = 256
    /// Rows that are removed before: appends wait for them.
    private static let rowsRemovedAtOnce = 64

    private let owner: FileLock
    private let file: StoreFile
    /// The highest id given so far; a journal that is begun anew goes on from there.
    private let highestID = Mutex<Int64>(0)

    /// Opens the journal, and makes the file and its folder if they are not there.
    ///
    /// - Parameters:
    ///   - file: the database file.
    ///   - durability: what accepted events survive.
    ///   - report: called when the journal healed itself, on any thread. By default it is printed to standard error.
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

    /// What SQLite was asked to wait for.
    var synchronousLevel: Int64 { get throws { try file.perform { try $0.integer("PRAGMA synchronous") } } }

    /// Appends events in order, all of them or none.
    ///
    /// Safe to call from any thread. It blocks the caller while another process writes, for a second at most.
    /// - Returns: one id per record, in order.
    /// - Throws: `StorageError` if nothing was appended.
    public func append(_ records: [Data]) throws -> [Int64] {
        records.isEmpty ? [] : try file.perform { try write(records, $0) }
    }

    private func write(_ records: [Data], _ connection: Connection) throws -> [Int64] {
        let count = Int64(records.count)
        var ids = connection.reservedIDs ?? 0..<0
        if ids.count >= records.count && connection.mayGrow,
            try Self.insertAtOnce(records, from: ids.lowerBound, connection)
        {
            // A statement by itself is a transaction, and a cheaper one.
        } else {
            try connection.transaction {
                if ids.count < records.count { ids = try reserve(max(count, Self.idsReserved), connection) }
                let insert = try connection.statement("INSERT INTO events (id, record) VALUES (?, ?)")
                for (id, record) in zip(ids, records) { try insert.run(.integer(id), .data(record)) }
            }
        }
        // Only now: what was rolled back was not reserved.
        connection.reservedIDs = ids.lowerBound + count..<ids.upperBound
        let given = Array(ids.prefix(records.count))
        highestID.withLock { $0 = max($0, given.last ?? 0) }
        return given
    }

    /// Inserts as few records as most calls track. Returns whether they are so few.
    private static func insertAtOnce(_ records: [Data], from id: Int64, _ connection: Connection) throws -> Bool {
        switch records.count {
        case 1:
            try connection.statement("INSERT INTO events (id, record) VALUES (?, ?)")
                .run(.integer(id), .data(records[0]))
        case 2:
            try connection.statement("INSERT INTO events (id, record) VALUES (?, ?), (?, ?)")
                .run(.integer(id), .data(records[0]), .integer(id + 1), .data(records[1]))
        case 3:
            try connection.statement("INSERT INTO events (id, record) VALUES (?, ?), (?, ?), (?, ?)")
                .run(
                    .integer(id), .data(records[0]), .integer(id + 1), .data(records[1]), .integer(id + 2),
                    .data(records[2]))
        default: return false
        }
        return true
    }

    /// Makes the sequence pass `count` ids that were never given, not to an earlier owner and not in a file that was lost.
    private func reserve(_ count: Int64, _ connection: Connection) throws -> Range<Int64> {
        let numbering = Numbering.events
        // Opening the database anew mends it.
        guard try numbering.isRight(in: connection) else { throw StorageError(.full, path: connection.name) }
        let known = try connection.integer("SELECT max(seq) FROM sqlite_sequence WHERE name = 'events'")
        let last = max(known == 0 ? Numbering.beginning : known, highestID.withLock { $0 })
        try numbering.setLast(last + count, in: connection)
        return last + 1..<last + count + 1
    }

    /// The oldest events whose id is above `id`, in order; at most `limit`.
    /// - Throws: `StorageError` if they cannot be read.
    public func events(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        var events: [JournaledEvent] = []
        while events.count < max(1, limit) {
            let last = events.last?.id ?? id
            let wanted = min(max(1, limit) - events.count, Self.rowsReadAtOnce)
            let found = try await file.performInBackground { connection in
                var found: [JournaledEvent] = []
                try connection.statement("SELECT id, record FROM events WHERE id > ? ORDER BY id LIMIT ?")
                    .forEach(.integer(last), .integer(Int64(wanted))) { row in
                        found.append(JournaledEvent(id: row.integer(0), record: row.data(1)))
                    }
                return found
            }
            events += found
            if found.count < wanted { break }
        }
        return events
    }

    /// Forgets events. Ids that are not there are ignored.
    /// - Throws: `StorageError` if not all of them were removed; of many, the first ones may be.
    public func remove(_ ids: [Int64]) async throws {
        var rest = ids[...]
        while !rest.isEmpty {
            let portion = Array(rest.prefix(Self.rowsRemovedAtOnce))
            do {
                try await delete(portion)
            } catch let error as StorageError where error.code == .full || error.code == .inputOutput {
                // What is deleted is written to the log first, where there may be room if it is begun anew.
                try await file.beginLogAnew()
                try await delete(portion)
            }
            rest = rest.dropFirst(portion.count)
        }
        if !ids.isEmpty { file.upkeep.ask(for: file) }
    }

    private func delete(_ ids: [Int64]) async throws {
        try await file.performInBackground { connection in
            try connection.transaction {
                let delete = try connection.statement("DELETE FROM events WHERE id = ?")
                for id in ids { try delete.run(.integer(id)) }
            }
        }
    }
}
