import ConvertConcurrency
import ConvertECMAScript
@testable import ConvertSQLiteStores
@testable import ConvertSwiftSDK
@testable import ConvertSwiftSDKCore
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

/// Databases that change under SDKs, and values that no database should be given.
@Suite(.timeLimit(.minutes(5)))
struct BreakerTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}, {"id": "5", "key": "late"}],
        "experiences": [{"id": "90", "key": "all", "variations": [
        {"id": "900", "key": "a", "traffic_allocation": 50}, {"id": "901", "key": "b", "traffic_allocation": 50}]}]}
        """.utf8)

    private struct Silent: ConvertLogger {
        func log(_ level: LogLevel, _ message: String) {}
    }

    private func sdk(
        _ transport: any HTTPTransport, journal: SQLiteEventJournal?, store: SQLiteVisitorStore?,
        _ change: (inout SDKConfiguration) -> Void = { _ in }
    ) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.journal = journal
        configuration.visitorStore = store
        configuration.logger = Silent()
        configuration.releaseInterval = .milliseconds(20)
        configuration.storeLoadTimeout = .seconds(60)
        change(&configuration)
        return try ConvertSDK(configData: Self.config, configuration: configuration, transport: transport)
    }

    private func change(_ sql: String, of name: String = "store.sqlite") throws {
        let connection = try Connection(path: folder.file(name).path, busyTimeout: 1000)
        try connection.execute("PRAGMA writable_schema = OFF; \(sql)")
    }

    // MARK: The journal

    /// Another process sets the sequence back, or restores it from an old dump.
    @Test(arguments: ["max(id) - 1", "min(id)", "5"]) func aSequenceBehindItsRowsGivesNoOldIDs(last: String) async throws {
        let old: [Int64]
        do {
            let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
            old = try journal.append((0..<5).map { Data([$0]) })
        }
        #expect(await folder.isClosed())
        try change("UPDATE sqlite_sequence SET seq = (SELECT \(last) FROM events) WHERE name = 'events'")
        let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
        let new = (try? journal.append([Data("new".utf8)])) ?? []
        #expect(new.count == 1, "nothing can be appended")
        #expect((new.first ?? 0) > (old.max() ?? 0))
    }

    @Test func aSequenceSetBackWhileInUseGivesNoOldIDs() async throws {
        let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
        var last: Int64 = 0
        for round in 0..<3000 {
            if round % 500 == 250 { try change("UPDATE sqlite_sequence SET seq = 7 WHERE name = 'events'") }
            let id = try #require(try journal.append([Data("x".utf8)]).first)
            #expect(id > last)
            last = id
        }
        #expect(try await journal.events(after: 0, limit: 10_000).count == 3000)
    }

    /// The endpoint is down, the memory full of what the journal has, and another process keeps the database for a moment.
    @Test func aLockDuringAnOutageCostsNothingThatComesAfterIt() async throws {
        let journal = try SQLiteEventJournal(file: folder.file(), report: reports.collect)
        let sdk = try sdk(ScriptedTransport(status: 500), journal: journal, store: nil) { $0.queueCapacity = 100 }
        await sdk.flush()
        for number in 0..<200 { sdk.createContext(visitorID: "v\(number)").trackConversion("purchase") }
        #expect(sdk.deliveryCounts.queued == 200)
        do {
            let other = try Connection(path: folder.file().path, busyTimeout: 1000)
            try other.execute("BEGIN IMMEDIATE")
            let context = sdk.createContext(visitorID: "w")
            _ = try await aside { context.trackConversion("purchase") }
            try other.execute("ROLLBACK")
        }
        for number in 0..<200 {
            try await Task.sleep(for: .milliseconds(25))
            sdk.createContext(visitorID: "x\(number)").trackConversion("purchase")
        }
        let counts = sdk.deliveryCounts
        #expect(counts.rejectedTotal <= 20, "\(counts)")
    }

    // MARK: The visitors

    /// Properties may be as deep as JSON is read, and an app may nest them a little deeper.
    @Test(arguments: [500, 520, 540, 600]) func deepPropertiesDoNotForgetAVisitor(depth: Int) async throws {
        let store = try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
        var value = JSValue.integer(1)
        for _ in 0..<depth { value = .array([value]) }
        let first = try sdk(ScriptedTransport(status: 200), journal: nil, store: store)
        let context = await first.loadContext(visitorID: "v")
        let variation = context.selectVariation("all", options: .with { $0.forcedVariationID = "901" })?.variationID
        #expect(variation == "901" && context.trackConversion("purchase") == .triggered)
        #expect(await first.shutdown(deadline: .seconds(20)).isComplete)
        let second = try sdk(ScriptedTransport(status: 200), journal: nil, store: store)
        await second.loadContext(visitorID: "v").updateVisitorProperties(["cart": value])
        #expect(await second.shutdown(deadline: .seconds(20)).isComplete)
        let next = try sdk(ScriptedTransport(status: 200), journal: nil, store: store)
        let again = await next.loadContext(visitorID: "v")
        #expect(again.trackConversion("purchase") == .alreadyTriggered)
        #expect(again.selectVariation("all")?.variationID == "901")
        #expect(reports.all.isEmpty, "\(reports.all)")
        await next.shutdown(deadline: .seconds(20))
    }

    @Test func recordsThatAnotherProcessReplacedAreReadOrForgotten() async throws {
        let store = try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
        let records = [
            "NULL", "''", "'null'", "'[]'", "'{\"goals\":[]}'", "'{\"bucketing\":5,\"goals\":{\"purchase\":true}}'",
            "'{\"bucketing\":{\"90\":{\"a\":1}}}'", "'{\"goals\":{\"purchase\":\"\"}}'", "5", "1.5", "x'ff00'",
            "zeroblob(1000000)", "'{\"bucketing\":{\"90\":null}}'", "'{\"segments\":\"x\"}'",
            "'{\"bucketing\":{\"90\":901}}'", "'{\"bucketing\":{\"90\":1e400}}'",
        ]
        for record in records {
            let key = "10-20-v"
            try await store.save(VisitorState(json: #"{"goals":{"late":true}}"#), for: key)
            if record == "NULL" {
                #expect(throws: (any Error).self) { try change("UPDATE visitors SET record = NULL") }
                continue
            }
            try change("UPDATE visitors SET record = \(record)")
            let sdk = try sdk(ScriptedTransport(status: 200), journal: nil, store: store)
            let context = await sdk.loadContext(visitorID: "v")
            #expect(context.selectVariation("all") != nil, "\(record)")
            context.trackConversion("purchase")
            #expect(context.trackConversion("purchase") == .alreadyTriggered, "\(record)")
            #expect(await sdk.shutdown(deadline: .seconds(20)).isComplete, "\(record)")
            #expect(try await store.load(key)?.hasTriggered("purchase") == true, "\(record)")
            try change("DELETE FROM visitors")
        }
    }

    // MARK: SDKs on databases that change

    /// Whatever happens to the files, sums hold, nothing hangs, and what is tracked afterwards arrives and is kept.
    @Test(arguments: 0..<12) func databasesThatChangeUnderAnSDKCostNoneOfItsPromises(seed: Int) async throws {
        var generator = SeededGenerator(seed: seed)
        let events = folder.file("events.sqlite")
        let visitors = folder.file("visitors.sqlite")
        let journal = try SQLiteEventJournal(file: events, report: reports.collect)
        let store = try SQLiteVisitorStore(file: visitors, report: reports.collect)
        let status = Mutex(500)
        let transport = ScriptedTransport { _, _ in HTTPResponse(status: status.withLock { $0 }) }
        let sdk = try sdk(transport, journal: journal, store: store) { $0.queueCapacity = 20 }
        func balance() {
            let counts = sdk.deliveryCounts
            #expect(
                counts.accepted + counts.restored == counts.delivered + counts.queued + counts.rejectedTotal,
                "seed \(seed): \(counts)")
        }
        let changes = [
            ("events", "DELETE FROM events WHERE id % 2"), ("events", "DELETE FROM events"),
            ("events", "UPDATE events SET record = 'nonsense' WHERE id % 3 = 0"),
            ("events", "DROP TABLE events"), ("events", "DELETE FROM sqlite_sequence"),
            ("events", "ALTER TABLE events ADD COLUMN other"), ("events", "ALTER TABLE events RENAME TO gone"),
            ("events", "ALTER TABLE events RENAME COLUMN record TO bytes"),
            ("events", "PRAGMA user_version = -7"), ("events", "CREATE TABLE foreigner (a)"),
            ("events", "UPDATE events SET id = -id"),
            ("visitors", "DELETE FROM visitors"), ("visitors", "DROP TABLE visitors"),
            ("visitors", "DROP TABLE visitor_count"), ("visitors", "UPDATE visitor_count SET count = -5"),
            ("visitors", "UPDATE visitors SET record = 'nonsense'"), ("visitors", "UPDATE visitors SET record = '{}'"),
            ("visitors", "DELETE FROM sqlite_sequence"),
            ("visitors", "ALTER TABLE visitors RENAME COLUMN key TO name"),
            ("visitors", "CREATE TRIGGER t BEFORE INSERT ON visitors WHEN 0 BEGIN SELECT RAISE(ABORT, 'no'); END"),
        ]
        var trace: [String] = []
        var number = 0
        for _ in 0..<60 {
            for _ in 0..<generator.int(1...10) {
                number += 1
                let context = sdk.createContext(visitorID: "v\(number)")
                context.selectVariation("all")
                context.trackConversion("purchase", revenue: 1)
            }
            switch generator.int(0...7) {
            case 0...2:
                let (name, sql) = generator.pick(changes)
                trace.append(sql)
                try? change(sql, of: "\(name).sqlite")
            case 3:
                let name = generator.pick(["events", "visitors"])
                trace.append("remove \(name)")
                for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || generator.happens(50) {
                    try? FileManager.default.removeItem(at: folder.file("\(name).sqlite\(suffix)"))
                }
            case 4:
                let name = generator.pick(["events", "visitors"])
                trace.append("replace \(name)")
                let other = folder.file("other")
                try Data((0..<generator.int(0...9000)).map { _ in UInt8(generator.int(0...255)) }).write(to: other)
                _ = try? FileManager.default.replaceItemAt(folder.file("\(name).sqlite"), withItemAt: other)
            case 5: status.withLock { $0 = generator.happens(50) ? 200 : 500 }
            case 6: await sdk.flush()
            default: try await Task.sleep(for: .milliseconds(generator.int(0...30)))
            }
            balance()
        }
        status.withLock { $0 = 200 }
        let isOver = await eventually {
            await sdk.flush()
            return sdk.deliveryCounts.queued == 0 && sdk.engine.records.unsavedCount == 0
        }
        #expect(isOver, "seed \(seed): \(sdk.deliveryCounts), \(trace.suffix(20))")
        balance()
        // From here on all is well again.
        let delivered = sdk.deliveryCounts.delivered
        for index in 0..<10 {
            let context = await sdk.loadContext(visitorID: "after\(index)")
            #expect(context.trackConversion("purchase") == .triggered)
        }
        let report = await sdk.shutdown(deadline: .seconds(30))
        #expect(report.isComplete && report.events.delivered == delivered + 10, "seed \(seed): \(report) \(trace)")
        #expect(try await journal.events(after: 0, limit: 10).isEmpty, "seed \(seed): \(trace)")
        for index in 0..<10 {
            #expect(
                try await store.load("10-20-after\(index)")?.hasTriggered("purchase") == true, "seed \(seed): \(trace)")
        }
    }

    /// Two SDKs with journals of their own decide and convert for the same visitors, on one store; one of them is killed.
    @Test func twoSDKsOnOneStoreMergeWhatTheyTake() async throws {
        let stores = try (0..<2).map { _ in try SQLiteVisitorStore(file: folder.file(), report: reports.collect) }
        let journals = try (0..<2).map {
            try SQLiteEventJournal(file: folder.file("events\($0).sqlite"), report: reports.collect)
        }
        let sdks = try (0..<2).map {
            try sdk(ScriptedTransport(status: 200), journal: journals[$0], store: stores[$0])
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, sdk) in sdks.enumerated() {
                group.addTask {
                    for number in 0..<300 {
                        let context = await sdk.loadContext(visitorID: "v\(number)")
                        context.selectVariation("all")
                        context.trackConversion(place == 0 ? "purchase" : "late")
                    }
                }
            }
            try await group.waitForAll()
        }
        for sdk in sdks { #expect(await sdk.shutdown(deadline: .seconds(60)).isComplete) }
        for number in 0..<300 {
            let record = try #require(try await stores[0].load("10-20-v\(number)"))
            #expect(record.hasTriggered("purchase") && record.hasTriggered("late") && record.bucketing?["90"] != nil)
        }
        for journal in journals { #expect(try await journal.events(after: 0, limit: 10).isEmpty) }
        #expect(reports.all.isEmpty)
    }

    // MARK: Hostile ids

    @Test func hostileIDsSurviveAKillOnSQLite() async throws {
        let ids =
            ["a\0b", "a", "a\0", "é", "e\u{301}", "__proto__", "\u{2028}", "\"},{\"", "\u{FEFF}", "K", "\u{212A}"]
            + [String(repeating: "x", count: 1 << 20), String(repeating: "e\u{301}", count: 200_000)]
        let failing = ScriptedTransport(status: 500)
        var left: [Data] = []
        do {
            // An SDK whose journal is copied is one that was killed at that moment.
            let journal = try SQLiteEventJournal(file: folder.file("first.sqlite"), report: reports.collect)
            let store = try SQLiteVisitorStore(file: folder.file("unused.sqlite"), report: reports.collect)
            let killed = try sdk(failing, journal: journal, store: store) { $0.releaseInterval = .seconds(100_000) }
            for (index, id) in ids.enumerated() {
                let context = await killed.loadContext(visitorID: id)
                let forced = index % 2 == 0 ? "900" : "901"
                #expect(context.selectVariation("all", options: .with { $0.forcedVariationID = forced }) != nil)
                #expect(context.trackConversion("purchase") == .triggered, "\(index)")
            }
            left = try await journal.events(after: 0, limit: 1000).map(\.record)
            #expect(left.count == ids.count * 4)
        }
        let journal = try SQLiteEventJournal(file: folder.file("second.sqlite"), report: reports.collect)
        _ = try journal.append(left)
        let store = try SQLiteVisitorStore(file: folder.file(), report: reports.collect)
        let next = try sdk(ScriptedTransport(status: 200), journal: journal, store: store)
        for (index, id) in ids.enumerated() {
            let context = await next.loadContext(visitorID: id)
            #expect(context.trackConversion("purchase") == .alreadyTriggered, "\(index)")
            #expect(context.selectVariation("all")?.variationID == (index % 2 == 0 ? "900" : "901"), "\(index)")
        }
        let report = await next.shutdown(deadline: .seconds(60))
        #expect(report.isComplete && report.events.restored == 2 * ids.count && report.events.accepted == 0, "\(report)")
        #expect(try await journal.events(after: 0, limit: 10).isEmpty)
    }
}

extension DecisionOptions {
    fileprivate static func with(_ change: (inout DecisionOptions) -> Void) -> DecisionOptions {
        var options = DecisionOptions()
        change(&options)
        return options
    }
}
