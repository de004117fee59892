import ConvertLedgers
@testable import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

/// Files of version 0.1.0 are taken over once.
struct EarlierFilesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let rows = [
        #"{"account":"10","project":20,"sdkKey":"k","visitor":"a-b","event":{"eventType":"bucketing","data":{}}}"#,
        #"{"claim":{"visitor":"10-20-v","bucketing":{"1":"b","2":"c","3":"d"},"replaced":{"3":"x"},"goals":["g"]}}"#,
        "unreadable", #"{"claim":{"visitor":"10-20-new","goals":["h"]}}"#,
        #"{"account":"10","project":"20","visitor":"v","event":{"eventType":"conversion"}}"#,
    ]

    /// A file as version 0.1.0 made it for all stores.
    private func makeFile(_ name: String) throws -> URL {
        let connection = try Connection(path: folder.file(name).path, busyTimeout: 0)
        try connection.execute(
            """
            PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
            CREATE TABLE visitors (
                number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, record BLOB NOT NULL
            );
            CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL);
            PRAGMA application_id = \(0x4376_5374); PRAGMA user_version = 3;
            """)
        let visitor = try connection.statement("INSERT INTO visitors (key, record) VALUES (?, ?)")
        try visitor.run(
            .data(Data("10-20-v".utf8)), .data(Data(#"{"bucketing":{"1":"a","3":"x"},"segments":{"s":"t"}}"#.utf8)))
        for number in 1...1500 {
            try visitor.run(.data(Data("many-\(number)".utf8)), .data(Data(#"{"goals":{"g":true}}"#.utf8)))
        }
        let event = try connection.statement("INSERT INTO events (record) VALUES (?)")
        for row in Self.rows { try event.run(.data(Data(row.utf8))) }
        return folder.file(name)
    }

    private func open(importing files: EarlierFiles) throws -> SQLiteLedger {
        try SQLiteLedger(file: folder.file(), importing: files)
    }

    @Test(arguments: [["old.sqlite", "old.sqlite"], ["visitors.sqlite", "events.sqlite"]])
    func visitorsEventsAndClaimsAreTakenOverOnce(names: [String]) async throws {
        for name in Set(names) { _ = try makeFile(name) }
        let before = try names.map { try Data(contentsOf: folder.file($0)) }
        let files = EarlierFiles(visitors: folder.file(names[0]), events: folder.file(names[1]))
        for isFirst in [true, false] {
            let ledger = try open(importing: files)
            #expect(
                try await ledger.visitor("10-20-v")
                    == VisitorState(
                        json: #"{"bucketing":{"1":"a","3":"d","2":"c"},"segments":{"s":"t"},"goals":{"g":true}}"#))
            #expect(try await ledger.visitor("10-20-new") == VisitorState(json: #"{"goals":{"h":true}}"#))
            #expect(try await ledger.visitor("many-1500") == VisitorState(json: #"{"goals":{"g":true}}"#))
            let events = try await ledger.undelivered(after: nil, limit: 10)
            let rows = events.map { String(decoding: $0.record, as: UTF8.self) }
            #expect(rows == (isFirst ? [Self.rows[0], Self.rows[4]] : []))
            #expect(try await ledger.begin() > events.first?.id.owner ?? 0)
            try await ledger.remove(events.map(\.id))
            await ledger.close()
        }
        #expect(try names.map { try Data(contentsOf: folder.file($0)) } == before)
    }

    @Test func forgettingReachesEventsThatWereTakenOver() async throws {
        let file = try makeFile("old.sqlite")
        let ledger = try open(importing: EarlierFiles(visitors: file, events: file))
        try await ledger.forget("10-20-a-b")
        #expect(try await ledger.undelivered(after: nil, limit: 10).count == 1)
        await ledger.close()
    }

    @Test func filesThatAreNotThereAreEmpty() async throws {
        let ledger = try open(importing: EarlierFiles(visitors: folder.file("none"), events: nil))
        #expect(try await ledger.undelivered(after: nil, limit: 10) == [])
        await ledger.close()
        #expect(!folder.names.contains("none"))
    }

    @Test func anotherProgramsFileIsRefusedAndNothingIsMadeOfIt() async throws {
        let other = folder.file("other.sqlite")
        do { try Connection(path: other.path, busyTimeout: 0).execute("CREATE TABLE visitors (a)") }
        #expect(throws: StorageError(.foreignDatabase, path: other.path)) {
            try open(importing: EarlierFiles(visitors: other, events: nil))
        }
        let file = try makeFile("old.sqlite")
        let ledger = try open(importing: EarlierFiles(visitors: nil, events: file))
        #expect(try await ledger.undelivered(after: nil, limit: 10).count == 2)
        await ledger.close()
    }
}
