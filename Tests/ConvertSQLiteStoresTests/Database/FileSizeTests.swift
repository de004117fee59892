import ConvertTestSupport
import ConvertMobileRules
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation
import Testing

/// How large files get, and that they get smaller again.
@Suite(.timeLimit(.minutes(10)))
struct FileSizeTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private func size(_ suffix: String = "") -> Int { folder.size(suffix) }

    private func connection() throws -> Connection { try Connection(path: folder.file().path, busyTimeout: 10_000) }

    @Test func aHistoryGivesRoomBack() async throws {
        let retention = EventHistoryRetention(maximumCount: 1_000_000)
        do { _ = try SQLiteEventHistory(file: folder.file(), retention: retention) }
        do {
            let connection = try connection()
            try connection.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
                INSERT INTO occurrences SELECT i % 1000, i * 1000 FROM n
                """)
        }
        #expect(size() > 4_900_000)
        let history = try SQLiteEventHistory(file: folder.file(), retention: EventHistoryRetention(maximumCount: 100))
        #expect(await eventually { (try? connection().integer("SELECT count(*) FROM occurrences")) == 100 })
        #expect(await eventually { size() < 4_600_000 })
        withExtendedLifetime(history) {}
    }

    private var short: StoreFile.Options {
        var options = StoreFile.Options()
        options.busyTimeout = 50
        options.log = WriteAheadLog.Limits(moved: 50, renewed: 200, longest: 200, held: 600)
        return options
    }

    private func history(_ options: StoreFile.Options) throws -> SQLiteEventHistory {
        try SQLiteEventHistory(
            file: folder.file(), retention: EventHistoryRetention(maximumCount: 1_000_000), options: options,
            report: reports.collect)
    }

    @Test func theLogStaysShort() async throws {
        var options = short
        // On a machine with much to do, the thread may come late, and be interrupted while it holds the database.
        options.log.held = 1_000_000
        options.busyTimeout = 300_000
        let history = try history(options)
        var time: Int64 = 0
        func record() throws {
            time += 1
            try history.record(EventFingerprint(rawValue: UInt32(time % 7)), at: time)
        }
        // Each takes a page of 4 KB.
        let records = inputSize(3_000, plain: 1_000)
        for _ in 0..<records { try record() }
        // No record waits for the thread that keeps it short, so it may be longer for a while.
        let isShort = await eventually {
            try? record()
            return size("-wal") < 1_000_000
        }
        #expect(isShort, "\(records) pages")
        // A record may come while the thread has the database; it waits then.
        #expect(reports.all.allSatisfy { $0 == .recordsWaiting(path: folder.file().path) })
    }

    @Test func aReaderThatHoldsTheLogDoesNotLetItGrow() async throws {
        let history = try history(short)
        let event = EventFingerprint(rawValue: 1)
        try history.record(event, at: 0)
        let reader = try connection()
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM occurrences")
        let held = StoreDiagnostic.logHeld(path: folder.file().path)
        var recorded: Int64 = 0
        while recorded < 9000, !reports.all.contains(held) {
            recorded += 1
            try history.record(event, at: recorded)
            await Task.yield()
        }
        #expect(reports.all.contains(held) && recorded > 100)
        let length = size("-wal")
        for _ in 0..<50 {
            recorded += 1
            try history.record(event, at: recorded)
        }
        #expect(size("-wal") == length && history.waitingRecordCount > 0)
        try reader.execute("COMMIT")
        #expect(await eventually { history.waitingRecordCount == 0 })
        #expect(try history.occurrences(of: event, in: 0...10_000).count == Int(recorded) + 1)
        #expect(await eventually { size("-wal") < length })
    }
}
