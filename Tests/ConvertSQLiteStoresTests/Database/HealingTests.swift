import ConvertTestSupport
import ConvertMobileRules
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Files that SQLite finds intact and that no version of this package has written so.
@Suite(.timeLimit(.minutes(10)))
struct HealingTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private static let event = EventFingerprint(rawValue: 1)

    /// A file with something of each store in it, changed by `sql`.
    private func makeFile(_ sql: String) async throws {
        try await aside { [folder] in
            let journal = try SQLiteEventJournal(file: folder.file())
            _ = try journal.append([Data("a".utf8), Data("b".utf8)])
            let history = try SQLiteEventHistory(file: folder.file())
            for time in 1...5 as ClosedRange<Int64> { try history.record(Self.event, at: time) }
        }
        let visitors = try SQLiteVisitorStore(file: folder.file())
        for key in ["v", "w"] { try await visitors.save(VisitorState(json: #"{"goals":{"g":true}}"#), for: key) }
        try change(sql)
    }

    private func change(_ sql: String) throws {
        let connection = try Connection(path: folder.file().path, busyTimeout: 1000)
        try connection.execute("PRAGMA writable_schema = OFF; \(sql)")
    }

    /// What the stores find in the file.
    private func contents() async throws -> String {
        let visitors = try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
        let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
        let history = try SQLiteEventHistory(file: folder.file(), report: reports.collect)
        let events = try await journal.events(after: 0, limit: 10)
        let found = try history.occurrences(of: Self.event, in: 0...10)
        var names: [String] = []
        for key in ["v", "w"] where try await visitors.load(key) != nil { names.append(key) }
        // All of them take something new.
        try await visitors.save(VisitorState(json: #"{"goals":{"g":true}}"#), for: "new")
        try history.record(Self.event, at: 6)
        let ids = try journal.append([Data("c".utf8)])
        #expect(ids[0] > (events.map(\.id).max() ?? 0))
        #expect(events.map(\.id) == events.map(\.id).sorted() && events.allSatisfy { $0.id > 0 })
        #expect(try await journal.events(after: 0, limit: 10).map(\.id) == events.map(\.id) + ids)
        let records = events.map { String(decoding: $0.record, as: UTF8.self) }
        return "\(records.joined()) \(found.count) \(names.joined())"
    }

    static let whole = "ab 5 vw"
    static let damages: [(change: String, left: String, mended: [String])] = [
        ("PRAGMA user_version = -1", whole, ["version"]),
        ("PRAGMA user_version = \(Int32.min)", whole, ["version"]),
        ("PRAGMA user_version = 0", whole, ["version"]),
        // As from a dump.
        ("PRAGMA user_version = 0; PRAGMA application_id = 0", whole, ["version"]),
        ("DROP TABLE events", " 5 vw", ["events"]),
        ("DROP TABLE visitors", "ab 5 ", ["visitors"]),
        (
            "DROP TABLE occurrences", "ab 0 vw",
            ["table occurrences", "occurrences_by_time", "occurrence_added", "occurrence_removed"]
        ),
        ("DROP TABLE occurrence_count", whole, ["table occurrence_count", "number of occurrences"]),
        ("DROP TRIGGER occurrence_added; DROP INDEX occurrences_by_time", whole, ["by_time", "added"]),
        ("UPDATE sqlite_sequence SET seq = \(Int64.max) WHERE name = 'events'", whole, ["ids"]),
        ("UPDATE sqlite_sequence SET seq = \(Int64.max) WHERE name = 'visitors'", whole, ["visitors"]),
        ("UPDATE sqlite_sequence SET seq = -5 WHERE name = 'events'", whole, ["ids"]),
        ("UPDATE sqlite_sequence SET seq = 'x' WHERE name = 'events'", whole, ["ids"]),
        ("UPDATE events SET id = \(Int64.max) WHERE record = x'62'", whole, ["ids"]),
        ("UPDATE events SET id = -7 WHERE record = x'62'", whole, ["ids"]),
        ("UPDATE visitors SET number = \(Int64.max) WHERE key = x'76'", whole, ["visitors"]),
        ("UPDATE occurrence_count SET count = \(Int64.max)", whole, ["number of occurrences"]),
        ("UPDATE occurrence_count SET count = -1", whole, ["number of occurrences"]),
        ("UPDATE occurrence_count SET count = 'many'", whole, ["number of occurrences"]),
        ("DELETE FROM occurrence_count", whole, ["number of occurrences"]),
        ("INSERT INTO occurrence_count VALUES (9)", whole, ["number of occurrences"]),
        ("UPDATE visitor_count SET count = \(Int64.max)", whole, ["number of visitors"]),
        ("DELETE FROM visitor_count", whole, ["number of visitors"]),
        ("DROP TABLE visitor_count", whole, ["table visitor_count", "number of visitors"]),
    ]

    @Test(arguments: damages.indices) func whatCannotBeRightIsMended(index: Int) async throws {
        let damage = Self.damages[index]
        try await makeFile(damage.change)
        #expect(try await contents() == damage.left)
        let texts = reports.all.map(\.description)
        #expect(texts.count == damage.mended.count, "\(texts)")
        #expect(damage.mended.allSatisfy { part in texts.contains { $0.contains(part) } }, "\(texts)")
        #expect(!folder.names.contains { $0.contains("corrupt") })
    }

    static let foreignTables = [
        "DROP TABLE events; CREATE TABLE events (id TEXT)",
        "PRAGMA user_version = -3; DROP TABLE events; CREATE TABLE events (id TEXT)",
        "PRAGMA user_version = 0; DROP TABLE events",
    ]

    @Test(arguments: foreignTables) func tablesThatNoVersionHasMadeAreSetAside(change: String) async throws {
        try await makeFile(change)
        #expect(try await contents() == " 0 ")
        let aside = folder.file("store.sqlite.corrupt-1")
        #expect(reports.all == [.corruptDatabaseSetAside(path: folder.file().path, movedTo: aside.path)])
        #expect(FileManager.default.fileExists(atPath: aside.path))
    }

    @Test func numbersThatAreUsedUpWhileInUseAreMended() async throws {
        let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
        let first = try journal.append([Data("a".utf8)])
        try change("UPDATE sqlite_sequence SET seq = \(Int64.max)")
        var last = first[0]
        for _ in 0..<3 {
            let next = try journal.append([Data("b".utf8)])
            #expect(next[0] > last)
            last = next[0]
        }
    }

    @Test func aTableThatGoesWhileInUseIsMadeAnew() async throws {
        let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
        let first = try journal.append([Data("a".utf8)])
        try change("DROP TABLE events")
        let second = try journal.append([Data("b".utf8)])
        #expect(second[0] > first[0])
        // Neither had got into the table.
        #expect(try await journal.events(after: 0, limit: 10).map(\.id) == first + second)
        #expect(
            await eventually { reports.all.contains { $0.description.contains("events, which was missing") } })
    }
}
