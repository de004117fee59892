import ConvertConcurrency
import ConvertECMAScript
import Foundation

/// How long the files get in which rows arrive, in bytes, and how many ids are reserved for them.
struct ArrivalLimits {
    /// From here on rows go to the other file, if that is empty.
    var full = 4 << 20
    /// From here on no rows are taken, until those of the other file have left it.
    var longest = 64 << 20
    /// As many as are given while another process keeps the database locked for some minutes.
    var idsAtOnce: Int64 = 1 << 20
}

/// Where a journal's rows arrive: two files beside the database, which take turns.
///
/// To append is one write at the end of a file; a commit of the database takes several, and may have to wait for
/// others. Most rows are delivered soon, and never get into the database. A row that has left, because it was removed or is
/// in the database, is marked in its place. Once all of a full file's rows have left, it is emptied and takes its turn; where
/// that takes too long, the journal moves them into the database.
///
/// Rows in the database are older than those here, and those in `older` than those in `newer`; ids say so.
final class Arrivals: Sendable {
    private struct State {
        var newer: ArrivalFile
        var older: ArrivalFile
        /// Ids to give, and those after them.
        var ids: Range<Int64> = 0..<0
        var nextIDs: Range<Int64> = 0..<0
        /// The frame that was written last: its memory is used again.
        var frame = JSONBytes(capacity: 0)
        /// Whether there was no room for what came last.
        var hasFailed = false
        /// Whether somebody will tend them.
        var isTended = false
        /// How many bytes came since they were tended.
        var arrivedBytes = 0

        /// Makes the files take turns, if they can.
        mutating func takeTurns() {
            if older.size == 0 { swap(&older, &newer) }
        }
    }

    /// What came of appending.
    enum Outcome {
        /// - first: the id of the first row; the others' follow it.
        /// - isTended: whether somebody else tends the files soon.
        case appended(first: Int64, isTended: Bool)
        /// There are too few ids.
        case lacksIDs
        /// Rows have to leave first.
        case lacksRoom
    }

    /// Rows leave one after the other: who moves, removes or reads them holds this.
    let leaving = Mutex(())
    private let state: Mutex<State>
    private let limits: ArrivalLimits
    private let name: String
    private let waitsForDisk: Bool

    /// An emptied file is worth a turn from here on.
    private static let worthATurn = 64 << 10
    /// So much room is made in advance at least, and at once.
    private static let leastRoom = 64 << 10

    /// Opens the files.
    /// - Parameters:
    ///   - path: the database's path, where links lead.
    ///   - name: the database as errors call it.
    init(
        beside path: String, for name: String, options: StoreFile.Options, report: (StoreDiagnostic) -> Void
    ) throws(StorageError) {
        self.name = name
        waitsForDisk = options.durability == .power
        var limits = options.arrivals
        if let pages = options.maximumPageCount { limits.full = min(limits.full, 4096 * pages) }
        if options.maximumPageCount != nil { limits.longest = min(limits.longest, limits.full) }
        self.limits = limits
        let first = try ArrivalFile(path + "-arrivals-1", for: name, report: report)
        let second = try ArrivalFile(path + "-arrivals-2", for: name, report: report)
        if waitsForDisk { try FileSystem.syncFolder(of: path, for: name) }
        let isSecondNewer = second.lastID ?? 0 > first.lastID ?? 0
        state = Mutex(State(newer: isSecondNewer ? second : first, older: isSecondNewer ? first : second))
    }

    /// The last id that is known of.
    var lastID: Int64 { state.withLock { $0.newer.lastID ?? 0 } }

    // MARK: Arriving

    /// Appends `count` rows, all of them or none.
    func append(_ count: Int, writingEach write: (Int, inout JSONBytes) -> Void) throws(StorageError) -> Outcome {
        try state.withLock { state throws(StorageError) in
            if state.ids.count < count {
                guard state.nextIDs.count >= count else { return .lacksIDs }
                state.ids = state.nextIDs
                state.nextIDs = 0..<0
            }
            if state.newer.size >= limits.full { state.takeTurns() }
            let first = state.ids.lowerBound
            ArrivalFrame.write(count, from: first, to: &state.frame, write)
            let length = state.frame.bytes.count
            defer { if length > Self.worthATurn { state.frame = JSONBytes(capacity: 0) } }
            // A length has 32 bits.
            guard length < ArrivalFrame.longest else { throw StorageError(.full, path: name) }
            let isLong = state.newer.size > 0 && state.newer.size + length > limits.longest
            if isLong { return .lacksRoom }
            do throws(StorageError) {
                try state.newer.append(state.frame.bytes, waitingForDisk: waitsForDisk)
            } catch {
                state.hasFailed = true
                throw error
            }
            state.ids = first + Int64(count)..<state.ids.upperBound
            state.arrivedBytes += length
            defer { state.isTended = true }
            return .appended(first: first, isTended: state.isTended)
        }
    }

    /// Takes ids to give next, unless later ones came before.
    func add(_ ids: Range<Int64>) {
        state.withLock { state in
            guard ids.lowerBound >= max(state.ids.upperBound, state.nextIDs.upperBound) else { return }
            if state.ids.isEmpty { state.ids = ids } else { state.nextIDs = ids }
        }
    }

    /// Begins to tend the files. Returns whether ids run low, and whether rows of the older file are to be moved.
    func beginTending() -> (needsIDs: Bool, isFull: Bool) {
        state.withLock { state in
            state.isTended = false
            return (state.nextIDs.isEmpty, state.newer.size >= limits.full)
        }
    }

    /// Makes room in advance for as much as is likely to come before the next time.
    func makeRoom() {
        let wanted = state.withLock { state in
            defer { state.arrivedBytes = 0 }
            return max(Self.leastRoom, 2 * state.arrivedBytes)
        }
        // In steps, as those who append wait meanwhile.
        var isDone = false
        while !isDone {
            isDone = state.withLock { state in
                let end = min(limits.full, state.newer.size + wanted)
                return !state.newer.makeRoom(until: end, atMost: Self.leastRoom)
            }
        }
    }

    /// Makes files that were deleted or renamed anew, with the rows that are to stay.
    func replaceMissing() throws(StorageError) {
        try leaving.withLock { _ throws(StorageError) in
            try state.withLock { state throws(StorageError) in
                if state.newer.file.isInPlace && state.older.file.isInPlace { return }
                if !state.newer.file.isInPlace { state.newer = try replacement(of: state.newer) }
                if !state.older.file.isInPlace { state.older = try replacement(of: state.older) }
                if waitsForDisk { try FileSystem.syncFolder(of: state.newer.file.path, for: name) }
            }
        }
    }

    private func replacement(of old: ArrivalFile) throws(StorageError) -> ArrivalFile {
        // Of what somebody put there nothing is known.
        if FileIdentity(of: old.file.path) != nil { _ = try FileSystem.setAside(old.file.path, as: name) }
        var file = try ArrivalFile(old.file.path, for: name) { _ in }
        var frame = JSONBytes(capacity: 0)
        for row in old.rows(after: 0, limit: .max) {
            let record = try old.file.read(row.length, at: row.place)
            ArrivalFrame.write(1, from: row.id, to: &frame) { _, frame in
                record.withUnsafeBufferPointer { frame.append(json: $0) }
            }
            try file.append(frame.bytes, waitingForDisk: false)
        }
        if waitsForDisk { try file.file.sync() }
        return file
    }

    // MARK: Leaving

    /// The ids of the rows up to `id`.
    func ids(through id: Int64) -> [Int64] {
        state.withLock { state in
            [state.older, state.newer].flatMap { $0.rows(after: 0, limit: .max).map(\.id).filter { $0 <= id } }
        }
    }

    /// Up to `limit` rows whose ids are above `id`, in order. The caller holds ``leaving``.
    func rows(after id: Int64, limit: Int, onlyOlder: Bool = false) throws(StorageError) -> [JournalRecord] {
        let (older, newer) = state.withLock { state in
            let older = state.older.rows(after: id, limit: limit)
            let newer = onlyOlder ? [] : state.newer.rows(after: id, limit: limit - older.count)
            return ((state.older.file, older), (state.newer.file, newer))
        }
        var found: [JournalRecord] = []
        for (file, rows) in [older, newer] {
            for row in rows { found.append((row.id, Data(try file.read(row.length, at: row.place)))) }
        }
        return found
    }

    typealias JournalRecord = (id: Int64, record: Data)

    /// Lets rows go, whose place is taken by others then. The caller holds ``leaving``.
    /// - Returns: ids that no row here has.
    func forget(_ ids: [Int64]) throws(StorageError) -> [Int64] {
        let (places, others) = state.withLock { state in
            var places: [(file: OpenFile, place: Int)] = []
            var others: [Int64] = []
            for id in ids {
                if let row = state.newer.row(id) {
                    places.append((state.newer.file, row.statePlace))
                } else if let row = state.older.row(id) {
                    places.append((state.older.file, row.statePlace))
                } else {
                    others.append(id)
                }
            }
            return (places, others)
        }
        // Nobody else changes these bytes, and those who append need not wait.
        for (file, place) in places { try file.write([0], at: place) }
        let emptied = state.withLock { state -> OpenFile? in
            for id in ids {
                state.newer.forget(id)
                state.older.forget(id)
            }
            let isWorthIt = state.hasFailed || state.newer.size >= Self.worthATurn
            if state.newer.liveCount == 0, isWorthIt { state.takeTurns() }
            return state.older.liveCount == 0 && state.older.size > 0 ? state.older.file : nil
        }
        if waitsForDisk, let first = places.first?.file {
            try first.sync()
            // There are two.
            if let other = places.first(where: { $0.file !== first })?.file { try other.sync() }
        }
        if let emptied {
            try emptied.truncate(to: 0)
            state.withLock { state in
                state.older.clear()
                state.hasFailed = false
            }
        }
        return others
    }

    /// Makes the files take turns, so that all rows are in the older one, if that is empty. The caller holds ``leaving``.
    func takeTurns() { state.withLock { $0.takeTurns() } }

    /// Removes the files if no rows are in them. Nothing may be appended any more.
    func removeIfEmpty() {
        state.withLock { state in
            if state.older.liveCount + state.newer.liveCount > 0 { return }
            state.older.file.unlink()
            state.newer.file.unlink()
        }
    }
}
