import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDK
import Foundation

/// A journal's rows: those that arrived lately, and those in the database.
///
/// What runs in the background holds this object, and not the journal, whose end closes it.
final class EventRows: Sendable {
    /// Rows that are read, or moved into the database, before others get at it.
    private static let rowsAtOnce = 256
    /// Rows that are removed before.
    private static let rowsRemovedAtOnce = 64
    /// How long after an append the files are looked after, in milliseconds.
    private static let tendingDelay = 100

    let file: StoreFile
    private let arrivals: Arrivals
    /// The highest id reserved so far; a journal that is begun anew goes on from there.
    private let highestID: Mutex<Int64>
    /// Where links lead.
    private let place: String
    /// The lock that makes the files ours; `nil` once they are closed.
    private let owner: Mutex<FileLock?>

    /// - Parameter place: where links lead.
    /// - Throws: `StorageError`: `inUse` if they have an owner.
    init(
        _ file: URL, at place: String, options: StoreFile.Options, report: @escaping @Sendable (StoreDiagnostic) -> Void
    ) throws {
        self.place = place
        owner = Mutex(try Self.lock(place, for: file.path))
        self.file = try StoreFile(file, options: options, report: report)
        arrivals = try Arrivals(beside: place, for: file.path, options: options, report: report)
        highestID = Mutex(arrivals.lastID)
        try forgetMoved()
    }

    private static func lock(_ place: String, for name: String) throws -> FileLock {
        // Beside the file itself: the same one may be called by other names.
        try FileLock(place + ".owner", for: name, patience: 0, orElse: .inUse)
    }

    /// Whether what is found at the files' paths is ours to change. A lock that was deleted keeps nobody out any more, and is
    /// taken anew; who was faster owns what is there.
    private func owns(_ owner: inout FileLock?) -> Bool {
        guard let held = owner else { return false }
        if held.isInPlace { return true }
        guard let anew = try? Self.lock(place, for: file.path) else { return false }
        owner = anew
        return true
    }

    /// Forgets what a process that was killed had moved into the database and not marked yet.
    private func forgetMoved() throws {
        try arrivals.leaving.withLock { _ in
            let moved = try file.perform { connection in
                var moved: [Int64] = []
                for id in arrivals.ids(through: try connection.integer("SELECT max(id) FROM events")) {
                    try connection.statement("SELECT id FROM events WHERE id = ?")
                        .forEach(.integer(id)) { moved.append($0.integer(0)) }
                }
                return moved
            }
            _ = try arrivals.forget(moved)
        }
    }

    /// Leaves the files as they are to be found. Nothing is done to them any more.
    func close() {
        owner.withLock { owner in
            let isOwner = owns(&owner)
            // Other programs, and earlier versions, look for rows in the database, and the next owner for those of one who
            // lost the files. Where all is gone, so are the rows.
            // Our own upkeep has the lock for writing now and then.
            if isOwner || FileIdentity(of: place) != nil { try? move(ofAll: true) }
            if isOwner { arrivals.removeIfEmpty() }
            owner = nil
        }
    }

    /// Appends rows in order, all of them or none, and returns their ids.
    func append(_ records: [Data]) throws -> [Int64] {
        if records.isEmpty { return [] }
        let first = try append(records.count) { index, bytes in
            records[index].withUnsafeBytes { bytes.append(json: $0.assumingMemoryBound(to: UInt8.self)) }
        }
        return Array(first..<first + Int64(records.count))
    }

    /// Appends `count` rows in order, all of them or none, and returns the first one's id; the others' follow it.
    func append(_ count: Int, writingEach write: (Int, inout JSONBytes) -> Void) throws -> Int64 {
        while true {
            switch try arrivals.append(count, writingEach: write) {
            case .appended(let first, let isTended):
                if !isTended { file.inBackground(after: Self.tendingDelay) { [weak self] in self?.tend() } }
                return first
            case .lacksIDs: try reserve(atLeast: Int64(count))
            case .lacksRoom: try move()
            }
        }
    }

    /// Makes the sequence pass ids that were never given, not to an earlier owner and not in a file that was lost.
    private func reserve(atLeast least: Int64, patience: Int32? = nil) throws {
        let count = max(least, file.options.arrivals.idsAtOnce)
        let ids = try file.perform(patience: patience) { connection in
            try connection.transaction {
                let last = try passedID(connection)
                if !PlantedFault.isPlanted("ids-given-twice") {
                    try Numbering.events.setLast(last + count, in: connection)
                }
                return last + 1..<last + count + 1
            }
        }
        highestID.withLock { $0 = max($0, ids.upperBound - 1) }
        arrivals.add(ids)
    }

    /// The last id that may have been given.
    private func passedID(_ connection: Connection) throws -> Int64 {
        // Opening the database anew mends it.
        guard try Numbering.events.isRight(in: connection) else { throw StorageError(.full, path: connection.name) }
        let known = try connection.integer("SELECT max(seq) FROM sqlite_sequence WHERE name = 'events'")
        return max(known == 0 ? Numbering.beginning : known, highestID.withLock { $0 })
    }

    /// Does for those who append what they would have to wait for. What fails is tried again after the next append.
    private func tend() { owner.withLock { if $0 != nil { tendFiles(&$0) } } }

    private func tendFiles(_ owner: inout FileLock?) {
        let (needsIDs, isFull) = arrivals.beginTending()
        // It looks whether the database is in its place.
        try? file.perform { _ in }
        if owns(&owner) {
            try? arrivals.replaceMissing()
            arrivals.makeRoom()
        }
        if needsIDs { try? reserve(atLeast: 1, patience: 0) }
        if isFull { try? move(patience: 0) }
    }

    /// Moves rows that have been here for long, or all of them, into the database.
    private func move(ofAll isAll: Bool = false, patience: Int32? = nil) throws {
        try arrivals.leaving.withLock { _ in
            for isLast in isAll ? [false, true] : [true] {
                if isLast { arrivals.takeTurns() }
                try moveOlder(patience: patience)
            }
        }
    }

    private func moveOlder(patience: Int32?) throws {
        var portion = Self.rowsAtOnce
        while true {
            let rows = try arrivals.rows(after: 0, limit: portion, onlyOlder: true)
            if rows.isEmpty { break }
            if PlantedFault.isPlanted("rows-leave-before-they-are-moved") {
                _ = try arrivals.forget(rows.map(\.id))
            }
            do {
                try insert(rows, patience: patience)
            } catch let error as StorageError where error.code == .full && portion > 1 {
                portion /= 2
                continue
            }
            // After a process that ends in between they are in both places.
            _ = try arrivals.forget(rows.map(\.id))
        }
        // All may be gone otherwise.
        _ = try arrivals.forget([])
    }

    private func insert(_ rows: [Arrivals.JournalRecord], patience: Int32?) throws {
        try file.perform(patience: patience) { connection in
            try connection.transaction {
                if !connection.hasPassedIDs { try Numbering.events.setLast(passedID(connection), in: connection) }
                let insert = try connection.statement("INSERT OR IGNORE INTO events (id, record) VALUES (?, ?)")
                for (id, record) in rows { try insert.run(.integer(id), .data(record)) }
            }
            connection.hasPassedIDs = true
        }
    }

    /// The oldest rows whose id is above `id`, in order; at most `limit`.
    func rows(after id: Int64, limit: Int) async throws -> [JournaledEvent] {
        var events: [JournaledEvent] = []
        while events.count < max(1, limit) {
            let last = events.last?.id ?? id
            let wanted = min(max(1, limit) - events.count, Self.rowsAtOnce)
            let found = try await inBackground { try self.portion(after: last, limit: wanted) }
            events += found
            if found.count < wanted { break }
        }
        return events
    }

    private func portion(after id: Int64, limit: Int) throws -> [JournaledEvent] {
        try arrivals.leaving.withLock { _ in
            let stored = try file.perform { connection in
                var stored: [JournaledEvent] = []
                try connection.statement("SELECT id, record FROM events WHERE id > ? ORDER BY id LIMIT ?")
                    .forEach(.integer(id), .integer(Int64(limit))) { row in
                        stored.append(JournaledEvent(id: row.integer(0), record: row.data(1)))
                    }
                return stored
            }
            let arrived = try arrivals.rows(after: id, limit: limit)
            if arrived.isEmpty { return stored }
            // They are newer, unless rows of the database had to get new ids.
            let all = stored + arrived.map { JournaledEvent(id: $0.id, record: $0.record) }
            return Array(all.sorted { $0.id < $1.id }.prefix(limit))
        }
    }

    /// Forgets rows.
    func remove(_ ids: [Int64]) async throws {
        if ids.isEmpty { return }
        let stored = try await inBackground {
            try self.arrivals.leaving.withLock { _ in try self.arrivals.forget(ids) }
        }
        var rest = stored[...]
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
        if !stored.isEmpty { file.upkeep.ask(for: file) }
    }

    private func inBackground<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            file.inBackground { continuation.resume(with: Swift.Result { try body() }) }
        }
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
