import ConvertECMAScript
import Foundation

/// A file to which rows are appended, and where they lie in it.
struct ArrivalFile: Sendable {
    let file: OpenFile
    /// Its length, as far as it has whole steps.
    private(set) var size = 0
    /// How far it reaches: behind the last step there may be zeros, in whose place the next ones are written.
    private var reach = 0
    private var rows: [ArrivalFrame.Row] = []
    /// All rows before this one are gone.
    private var firstLive = 0
    private(set) var liveCount = 0

    /// The id of its last row, gone or not.
    var lastID: Int64? { rows.last?.id }

    /// Opens the file, and finds out what is in it.
    /// - Parameter report: is told what cannot be read, of which a copy is kept.
    init(_ path: String, for database: String, report: (StoreDiagnostic) -> Void) throws(StorageError) {
        file = try OpenFile(path, for: database)
        let found = file.size
        if found == 0 { return }
        let (rows, end, isDamaged) = ArrivalFrame.read(try file.read(min(found, 1 << 30), at: 0))
        self.rows = rows
        size = end
        liveCount = rows.count { !$0.isGone }
        if isDamaged {
            let aside = try FileSystem.copyAside(path, as: database)
            report(.databaseMended(path: database, what: "rows that could not be read; a copy of them is \(aside)"))
        }
        if liveCount == 0 { clear() }
        if found != size { try file.truncate(to: size) }
        reach = size
    }

    /// Appends `frame`, or nothing.
    mutating func append(_ frame: [UInt8], waitingForDisk waits: Bool) throws(StorageError) {
        do throws(StorageError) {
            if reach > size, frame.last == 0 { try endRoom() }
            try file.write(frame, at: size)
            if waits { try file.sync() }
        } catch {
            try? endRoom()
            throw error
        }
        let count = rows.count
        ArrivalFrame.note(frame, at: size, in: &rows)
        liveCount += rows.count - count
        size += frame.count
        reach = max(reach, size)
    }

    /// Leaves no room. In it a step of empty rows would pass for a whole one wherever it is cut off behind its count, and those
    /// rows for gone whose states are missing.
    private mutating func endRoom() throws(StorageError) {
        reach = size
        try file.truncate(to: size)
    }

    /// Writes zeros behind the end, up to `count` bytes and up to `end`. Returns whether more are missing.
    mutating func makeRoom(until end: Int, atMost count: Int) -> Bool {
        // To write in the place of bytes takes a third of the time that it takes to make a file longer (S-journal).
        let missing = min(count, end - reach)
        guard missing > 0 else { return false }
        do throws(StorageError) {
            try file.write([UInt8](repeating: 0, count: missing), at: reach)
        } catch {
            try? file.truncate(to: reach)
            return false
        }
        reach += missing
        return reach < end
    }

    /// The row with the id, unless it is gone.
    func row(_ id: Int64) -> ArrivalFrame.Row? {
        let index = index(notBefore: id)
        return index < rows.count && rows[index].id == id && !rows[index].isGone ? rows[index] : nil
    }

    /// Up to `limit` rows whose ids are above `id`, in order.
    func rows(after id: Int64, limit: Int) -> [ArrivalFrame.Row] {
        // There are none after the highest number.
        let first = id == .max ? rows.count : index(notBefore: id + 1)
        return Array(rows[max(firstLive, first)...].lazy.filter { !$0.isGone }.prefix(limit))
    }

    /// Takes note that the row is gone.
    mutating func forget(_ id: Int64) {
        let index = index(notBefore: id)
        guard index < rows.count, rows[index].id == id, !rows[index].isGone else { return }
        rows[index].isGone = true
        liveCount -= 1
        while firstLive < rows.count, rows[firstLive].isGone { firstLive += 1 }
    }

    /// Takes note that the file is empty.
    mutating func clear() {
        size = 0
        reach = 0
        rows = []
        firstLive = 0
        liveCount = 0
    }

    private func index(notBefore id: Int64) -> Int { rows.indices.partitioningIndex { rows[$0].id >= id } }
}
