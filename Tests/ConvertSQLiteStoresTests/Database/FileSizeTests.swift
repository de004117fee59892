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

    @Test func aVisitorStoreGivesRoomBack() async throws {
        do { _ = try SQLiteVisitorStore(file: folder.file()) }
        do {
            let connection = try connection()
            try connection.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
                INSERT INTO visitors (key, record) SELECT CAST('v' || i AS BLOB), CAST(
                    '{"segments":{"source":"' || hex(zeroblob(100)) || '"}}' AS BLOB) FROM n;
                UPDATE visitor_count SET count = 50000
                """)
        }
        #expect(size() > 12_000_000)
        let store = try SQLiteVisitorStore(file: folder.file(), maximumCount: 1000)
        #expect(await eventually { (try? connection().integer("SELECT count(*) FROM visitors")) == 1000 })
        #expect(await eventually { size() < 6_000_000 })
        #expect(try connection().integer("SELECT count FROM visitor_count") == 1000)
        #expect(try await store.load("v50000") != nil)
        #expect(try await store.load("v49000") == nil)
    }

    /// What 0.x wrote, with its tables and without a count of visitors.
    @Test func aFileOfTheFirstVersionIsBroughtUpToDate() async throws {
        do {
            let connection = try connection()
            try Migrations.apply(to: connection, steps: Array(Migrations.steps.prefix(1)))
            try connection.execute(
                """
                INSERT INTO visitors (key, record) VALUES (x'76', '{"goals":{"g":true}}'), (x'77', '{}');
                INSERT INTO events (record) VALUES (x'61'); INSERT INTO occurrences VALUES (1, 5)
                """)
        }
        let visitors = try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
        let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
        let history = try SQLiteEventHistory(file: folder.file(), report: reports.collect)
        #expect(try await visitors.load("v")?.goals?.members.count == 1)
        #expect(try await journal.events(after: 0, limit: 9).map(\.record) == [Data("a".utf8)])
        #expect(try history.occurrences(of: EventFingerprint(rawValue: 1), in: 0...9).count == 1)
        #expect(try connection().integer("SELECT count FROM visitor_count") == 2)
        #expect(try connection().integer("PRAGMA auto_vacuum") == 2)
        #expect(reports.all.isEmpty)
    }

    private var short: StoreFile.Options {
        var options = StoreFile.Options()
        options.busyTimeout = 50
        options.log = LogLimits(moved: 50, restarted: 200, longest: 600)
        return options
    }

    @Test func theLogStaysShort() async throws {
        var options = short
        // On a machine with much to do, the thread may come late, and be interrupted while it holds the database.
        options.log.longest = 1_000_000
        options.busyTimeout = 300_000
        let journal = try SQLiteEventJournal(file: folder.file(), options: options, report: reports.collect)
        for _ in 0..<3000 { _ = try journal.append([Data(count: 300)]) }
        // Nobody waits for the thread that keeps it short, so it may be longer for a while.
        let isShort = await eventually {
            _ = try? journal.append([Data(count: 300)])
            return size("-wal") < 1_000_000
        }
        #expect(isShort, "3,000 pages are 12 MB")
        #expect(reports.all.isEmpty)
    }

    @Test func aReaderThatHoldsTheLogDoesNotLetItGrow() async throws {
        let journal = try SQLiteEventJournal(file: folder.file(), options: short, report: reports.collect)
        let reader = try connection()
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM events")
        var accepted = 0
        var codes: Set<StorageError.Code> = []
        for _ in 0..<100_000 where codes.isEmpty || reports.all.isEmpty {
            do {
                _ = try journal.append([Data(count: 3000)])
                accepted += 1
            } catch let error as StorageError {
                // It may also be the thread that keeps the log short, and was interrupted.
                codes.insert(error.code)
            }
            await Task.yield()
        }
        #expect(codes == [.busy] && accepted > 100)
        #expect(reports.all == [.logHeld(path: folder.file().path)])
        let length = size("-wal")
        #expect(throws: StorageError.self) { try journal.append([Data(count: 3000)]) }
        #expect(size("-wal") == length)
        try reader.execute("COMMIT")
        #expect(await eventually { (try? journal.append([Data(count: 3000)])) != nil })
        let events = try await journal.events(after: 0, limit: 200_000)
        #expect(events.count == accepted + 1)
        #expect(await eventually { size("-wal") < length })
    }
}
