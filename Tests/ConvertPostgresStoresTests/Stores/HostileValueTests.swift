#if Postgres
import ConvertECMAScript
import ConvertMobileRules
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Ids and values of every kind, as each store's keys and contents.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct HostileValueTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    /// Of the form of arrays, of statements, of the ends of what is hashed; each byte of ASCII; 1 MB.
    private static let texts: [String] = {
        var texts = [
            "", "\0", "\0\0", "{}", "{\"", "{NULL}", "NULL", "\\N", "\\000", "'", "\"", "$1", "$$", ";--", "a,b",
            "\u{feff}",
            "\u{fffd}", "e\u{301}", "\u{e9}", "\u{10ffff}", "\u{d7ff}\u{e000}", String(repeating: "\0", count: 1000),
            String(repeating: "\u{10ffff}", count: 250), String(repeating: "\u{10ffff}", count: 251),
        ]
        texts += (0..<128).map { String(UnicodeScalar(UInt8($0))) + "x" }
        texts += [999, 1000, 1001, 2000, 3000, 9000].map { String(repeating: "k", count: $0) }
        return texts + [String(repeating: "{\"\\", count: 1 << 18)]
    }()
    private static let times: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

    @Test func visitorsAreKeptWithAnyTextAnywhere() async throws {
        let store = PostgresVisitorStore(try schema.database())
        let records = try Self.texts.map { text in
            let value = JSValue.string(text)
            let record: JSObject = [
                "bucketing": .object([text: value]), "goals": .object([text: true]),
                "segments": .object([text: value, "customSegments": .array([value])]), "locations": .array([value]),
            ]
            return try VisitorState(json: Data(ECMAScript.jsonText(of: .object(record)).utf8))
        }
        try await withThrowingTaskGroup { group in
            for (text, record) in zip(Self.texts, records) { group.addTask { try await store.save(record, for: text) } }
            try await group.waitForAll()
        }
        for (text, record) in zip(Self.texts, records) {
            let found = try await store.load(text)
            #expect(found == record, "\(text.prefix(10).debugDescription)")
        }
        for record in records { try await store.save(record, for: "all") }
        #expect(try await store.load("all")?.goals?.members.count == Self.texts.count)
        #expect(try schema.integer("SELECT count(*) FROM visitors") == Int64(Self.texts.count + 1))
        #expect(try schema.integer("SELECT count(*) FROM claimed_goals") == Int64(2 * Self.texts.count))
    }

    @Test(arguments: [
        #"{"segments":{"a\ud800":"\udc00x","b":"\ud83d"},"bucketing":{"\ud800":"\udfff"}}"#,
        #"{"goals":{"a":true,"b":false,"c":0,"d":null,"e":"x","f":[]}}"#, #"{"goals":[]}"#, "{}",
        #"{"bucketing":{"e":{"a":[1,2,{"b":null}]}}}"#, #"{"segments":{"__proto__":{"a":1},"constructor":2}}"#,
        #"{"bucketing":{"1":-0,"2":1e21,"3":0.1,"4":12345678901234567890}}"#,
        #"{"segments":{"a":\#(String(repeating: "[", count: 510))\#(String(repeating: "]", count: 510))}}"#,
    ]) func recordsOfAnyShapeAreKept(json: String) async throws {
        let store = PostgresVisitorStore(try schema.database())
        let record = try VisitorState(json: Data(json.utf8))
        try await store.save(record, for: json)
        #expect(try await store.load(json) == record)
    }

    @Test func eventsAreKeptWithAnyBytesAndClaimGoalsOfAnyName() async throws {
        let journal = PostgresEventJournal(
            try schema.database(), lease: .seconds(3600), patience: .seconds(300), time: StepClock())
        func append(_ calls: [JournalCall]) async throws -> [[Int64]?] {
            try await aside { try journal.append(calls) }
        }
        let every = Data((0...255).map { UInt8($0) })
        let calls = Self.texts.map { text in
            JournalCall(rows: [Data(text.utf8), every, Data()], visitor: text, goals: [text, text + "2", text])
        }
        let ids = try await append(calls + [JournalCall(rows: [], visitor: "x", goals: ["y"])])
        #expect(ids.allSatisfy { $0 != nil })
        #expect(try await append(calls).allSatisfy { $0 == nil })
        #expect(try schema.integer("SELECT count(*) FROM claimed_goals") == Int64(2 * Self.texts.count))
        let events = try await journal.events(after: .min, limit: .max)
        #expect(events.map(\.record) == calls.flatMap(\.rows))
        #expect(try await journal.events(after: .max, limit: .min).isEmpty)
        try await journal.remove([.min, .max, 0, -1] + ids.compactMap { $0 }.flatMap { $0 })
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
        #expect(try await journal.takeOver(.max).isEmpty)
        #expect(try await journal.takeOver(.min).isEmpty)
        // More than one block of ids has.
        let many = JournalCall(rows: Array(repeating: every, count: 2500), visitor: "many", goals: ["many"])
        let manyIDs = try #require(try await append([many])[0])
        #expect(Set(manyIDs).count == 2500)
        #expect(try await journal.events(after: .min, limit: 5000).map(\.id) == manyIDs)
        #expect(try await append([many]) == [nil])
    }

    @Test(arguments: [1, 1 << 31, .max] as [UInt32]) func timesMayBeAny(event: UInt32) async throws {
        let history = PostgresEventHistory(try schema.database(), patience: .seconds(300))
        let event = EventFingerprint(rawValue: event)
        let all = EventOccurrences(count: Self.times.count, times: .min ... .max)
        try await aside {
            for time in Self.times { try history.record(event, at: time) }
            for time in Self.times { #expect(try !history.recordIfNew(event, at: time), "\(time)") }
            #expect(try history.occurrences(of: event, in: .min ... .max) == all)
            #expect(try history.remove(event, in: .min ... .min) == 1)
            for isNew in [true, false] { #expect(try history.recordIfNew(event, at: .min) == isNew) }
            #expect(try history.remove(event, in: .min ... .max) == Self.times.count)
            #expect(try history.recordIfNew(event, at: .max))
        }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero])
    func waitsMayBeOfAnyLength(wait: Duration) async throws {
        let database = try schema.database()
        try await database.prepare()
        let journal = PostgresEventJournal(database, lease: wait, patience: wait)
        let history = PostgresEventHistory(database, patience: wait)
        // Who does not wait may be told nothing.
        let isPatient = wait > .zero
        let ids = try? await aside { try journal.append([Data()]) }
        let isNew = try? await aside { try history.recordIfNew(EventFingerprint(rawValue: 7), at: 5) }
        #expect(ids != nil && isNew == true || !isPatient)
        try await journal.renew()
        #expect(try await journal.takeOver(1).isEmpty)
    }

    @Test(arguments: [
        EventHistoryRetention(maximumCount: 0), EventHistoryRetention(maximumCount: .max, maximumAge: 0),
        EventHistoryRetention(maximumCount: .max, maximumAge: .max),
        EventHistoryRetention(maximumCount: 5, maximumAge: .min),
    ]) func limitsMayBeAny(retention: EventHistoryRetention) async throws {
        let history = PostgresEventHistory(try schema.database(), retention: retention, patience: .seconds(300))
        try await aside {
            for time in Self.times + Self.times { try history.record(EventFingerprint(rawValue: 9), at: time) }
        }
        #expect(history.waitingRecordCount == 0)
    }
}
#endif
