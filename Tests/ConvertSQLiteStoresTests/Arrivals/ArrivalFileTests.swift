import ConvertECMAScript
import ConvertTestSupport
@testable import ConvertSQLiteStores
import Foundation
import Testing

/// One file in which rows arrive, whatever becomes of its bytes.
struct ArrivalFileTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file().path }

    /// A file of steps with one, two and three rows, and where each step ends.
    private func makeFile() throws -> [Int] {
        var file = try ArrivalFile(path, for: "it", report: reports.collect)
        var ends: [Int] = []
        var id: Int64 = 7
        for count in 1...3 {
            let records = (0..<count).map { Data("row \(id + Int64($0))".utf8) }
            try file.append(frame(of: records, from: id), waitingForDisk: false)
            ends.append(file.size)
            // As ids are when a block of them is used up.
            id += Int64(count) + 10
        }
        return ends
    }

    private func frame(of records: [Data], from id: Int64) -> [UInt8] {
        var frame = JSONBytes(capacity: 0)
        ArrivalFrame.write(records.count, from: id, to: &frame) { index, frame in
            Array(records[index]).withUnsafeBufferPointer { frame.append(json: $0) }
        }
        return frame.bytes
    }

    private static let ids: [Int64] = [7, 18, 19, 30, 31, 32]

    private func contents() throws -> [Int64] {
        let file = try ArrivalFile(path, for: "it", report: reports.collect)
        for row in file.rows(after: 0, limit: 100) {
            #expect(try file.file.read(row.length, at: row.place) == Array("row \(row.id)".utf8))
        }
        return file.rows(after: 0, limit: 100).map(\.id)
    }

    @Test func aStepThatWasCutOffIsGoneWithoutAWordAndThoseBeforeItAreWhole() throws {
        let ends = try makeFile()
        let bytes = try Data(contentsOf: folder.file())
        #expect(bytes.count == ends[2])
        for length in 0...bytes.count {
            try bytes.prefix(length).write(to: folder.file())
            let whole = ends.prefix { $0 <= length }.count
            #expect(try contents() == Array(Self.ids.prefix([0, 1, 3, 6][whole])), "\(length) bytes")
            #expect(folder.size() == ([0] + ends)[whole])
        }
        #expect(reports.all.isEmpty)
    }

    @Test func aStepThatWasCutOffInRoomMadeInAdvanceIsGoneWithoutAWord() throws {
        let ends = try makeFile()
        let bytes = try Data(contentsOf: folder.file())
        for length in 0...bytes.count {
            try (bytes.prefix(length) + Data(count: 300)).write(to: folder.file())
            let whole = ends.prefix { $0 <= length }.count
            #expect(try contents() == Array(Self.ids.prefix([0, 1, 3, 6][whole])), "\(length) bytes")
            #expect(folder.size() == ([0] + ends)[whole])
        }
        #expect(reports.all.isEmpty)
    }

    @Test func rowsAreWrittenIntoTheRoomThatWasMade() throws {
        _ = try makeFile()
        var file = try ArrivalFile(path, for: "it", report: reports.collect)
        let end = file.size + 500
        let isUnfinished = file.makeRoom(until: end, atMost: 400)
        #expect(isUnfinished && folder.size() == end - 100)
        let isUnfinishedStill = file.makeRoom(until: end, atMost: 400)
        #expect(!isUnfinishedStill)
        #expect(folder.size() == end)
        let records = [Data(count: 0), Data(count: 9), Data([0, 0, 0, 1])]
        try file.append(frame(of: records, from: 100), waitingForDisk: false)
        #expect(folder.size() == end)
        let found = try ArrivalFile(path, for: "it", report: reports.collect)
        #expect(found.rows(after: 0, limit: 100).map(\.id) == Self.ids + [100, 101, 102])
        #expect(found.rows(after: 99, limit: 3).map(\.length) == [0, 9, 4])
        #expect(found.size == file.size && folder.size() == file.size)
        #expect(reports.all.isEmpty)
    }

    @Test func aStepOfEmptyRowsThatWasCutOffIsGoneAsAWholeAlsoWhereRoomWasMade() throws {
        let end = try #require(makeFile().last)
        var file = try ArrivalFile(path, for: "it", report: reports.collect)
        _ = file.makeRoom(until: end + 500, atMost: 500)
        try file.append(frame(of: [Data(), Data(), Data()], from: 100), waitingForDisk: false)
        let bytes = try Data(contentsOf: folder.file())
        for length in end..<file.size {
            // Behind it is what was there while it was written.
            try (bytes.prefix(length) + Data(count: bytes.count - file.size)).write(to: folder.file())
            let found = try ArrivalFile(path, for: "it", report: reports.collect)
            #expect(found.rows(after: 99, limit: 10).isEmpty, "\(length - end) bytes")
        }
        #expect(reports.all.isEmpty)
    }

    @Test func aByteThatWasChangedCostsNothingBeforeItAndIsReported() throws {
        let ends = try makeFile()
        let bytes = try Data(contentsOf: folder.file())
        for place in 0..<bytes.count {
            var damaged = bytes
            damaged[place] ^= 0x55
            try damaged.write(to: folder.file())
            let whole = ends.prefix { $0 <= place }.count
            let found = try contents()
            #expect(found.starts(with: Self.ids.prefix([0, 1, 3, 6][whole])), "byte \(place)")
            #expect(found.allSatisfy { Self.ids.contains($0) }, "byte \(place)")
            let copies = folder.names.filter { $0.contains("corrupt") }
            #expect(copies.isEmpty == (found == Self.ids), "byte \(place)")
            for aside in copies {
                #expect(try Data(contentsOf: folder.file(aside)) == damaged)
                try FileManager.default.removeItem(at: folder.file(aside))
            }
        }
        #expect(reports.all.count > bytes.count / 2)
    }

    @Test func anyNumberMayBeAskedFor() throws {
        _ = try makeFile()
        var file = try ArrivalFile(path, for: "it", report: reports.collect)
        for id in [.min, .min + 1, -1, 0, .max - 1, .max] as [Int64] {
            #expect(file.row(id) == nil)
            file.forget(id)
            #expect(file.rows(after: id, limit: 100).map(\.id) == (id < 7 ? Self.ids : []))
        }
        #expect(file.liveCount == 6)
    }

    @Test func rowsThatAreGoneStayGone() throws {
        _ = try makeFile()
        var file = try ArrivalFile(path, for: "it", report: reports.collect)
        for id in [18, 32] as [Int64] {
            let row = try #require(file.row(id))
            try file.file.write([0], at: row.statePlace)
            file.forget(id)
            file.forget(id)
            #expect(file.row(id) == nil)
        }
        #expect(file.liveCount == 4)
        #expect(file.rows(after: 7, limit: 2).map(\.id) == [19, 30])
        #expect(try contents() == [7, 19, 30, 31])
    }

    @Test func aFileWhoseRowsAreAllGoneIsEmptied() throws {
        _ = try makeFile()
        let file = try ArrivalFile(path, for: "it", report: reports.collect)
        for row in file.rows(after: 0, limit: 100) { try file.file.write([0], at: row.statePlace) }
        #expect(try contents().isEmpty && folder.size() == 0)
    }
}
