#if Postgres
import ConvertLedgers
import ConvertMobileRules
import ConvertStoreSupport
import ConvertSwiftSDK
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

    @Test func visitorsWithAnyIDAreKnownToAllServers() async throws {
        let texts = Self.texts.filter { !$0.isEmpty }
        let one = try FleetServer(schema)
        for text in texts {
            let context = await one.sdk.loadContext(visitorID: text)
            context.decide("split")
            context.trackConversion("purchase")
            try await context.persisted(within: .seconds(300))
        }
        await one.sdk.shutdown(deadline: .seconds(300))
        #expect(Set(one.conversions.map { Data($0.utf8) }) == Set(texts.map { Data($0.utf8) }))
        #expect(try schema.integer("SELECT count(*) FROM visitors") == Int64(texts.count))
        let other = try FleetServer(schema)
        for text in texts {
            let context = await other.sdk.loadContext(visitorID: text)
            #expect(context.trackConversion("purchase") == .alreadyTriggered, "\(text.prefix(10).debugDescription)")
        }
        await other.sdk.shutdown(deadline: .seconds(300))
    }

    @Test func eventsAreKeptWithAnyBytes() async throws {
        let ledger = try schema.ledger()
        let owner = try await ledger.begin()
        let records = Self.texts.map { Data($0.utf8) } + [Data((0...255).map { UInt8($0) }), Data()]
        let events = records.enumerated().map { index, record in
            LedgerEvent(id: EventID(owner: owner, number: UInt32(index + 1)), record: record)
        }
        _ = try await ledger.commit(events.map { LedgerEntry(visitor: "v", events: [$0]) })
        #expect(try await ledger.undelivered(after: nil, limit: .max).map(\.record) == records)
        try await ledger.remove(events.map(\.id) + [EventID(owner: .max, number: .max)])
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
        #expect(try await ledger.takeOver(.max).isEmpty)
        await ledger.close()
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
        let history = PostgresEventHistory(database, patience: wait)
        // Without patience there may be no answer.
        let isNew = try? await aside { try history.recordIfNew(EventFingerprint(rawValue: 7), at: 5) }
        #expect(isNew == true || wait <= .zero)
        let ledger = try schema.ledger(lease: wait)
        _ = try await ledger.begin()
        try await ledger.renew()
        await ledger.close()
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
