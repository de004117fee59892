#if Postgres
import ConvertMobileRules
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// What was committed though nobody learned it, because the connection broke between the commit and its answer.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
final class LostAnswerTests {
    private let schema: TestSchema
    private let proxy: TestProxy
    private let database: PostgresDatabase

    init() async throws {
        schema = try TestSchema()
        let port = try #require(schema.address.firstMatch(of: /port=(\d+)/).flatMap { UInt16($0.1) })
        proxy = try TestProxy(to: port)
        var options = TestSchema.options
        options.size = 1
        // Without TLS each message is one chunk.
        database = try schema.database("\(schema.address) port=\(proxy.port) sslmode=disable", options: options)
        try await database.prepare()
    }

    deinit { proxy.stop() }

    @Test(arguments: 0..<4) func aSaveThatWasCommittedIsMadeOnce(chunks: Int) async throws {
        let store = PostgresVisitorStore(database)
        try await store.save(Self.state("1", goal: "g"), for: "v")
        proxy.loseAnswer(after: chunks)
        for number in 0..<4 {
            let settled = try await store.settle(
                VisitorChanges(Self.state("\(number + 2)", goal: "h\(number)")), for: "v")
            #expect(settled.bucketing?["e"] == "1")
        }
        #expect(proxy.lostCount == 1)
        let goals = try #require(try await store.load("v")?.goals)
        #expect(goals.members.map(\.key.name).sorted() == ["g", "h0", "h1", "h2", "h3"])
        #expect(try schema.integer("SELECT count(*) FROM claimed_goals") == 5)
    }

    @Test(arguments: 0..<3) func aGoalWhoseEventsWereCommittedIsCountedByItsCall(chunks: Int) async throws {
        let journal = PostgresEventJournal(database, lease: .seconds(3600), patience: .seconds(300), time: StepClock())
        func append(_ goal: String) async throws -> [Int64]? {
            let call = JournalCall(rows: [Data(goal.utf8)], visitor: "v", goals: [goal])
            return try await aside { try journal.append([call])[0] }
        }
        _ = try await append("first")
        proxy.loseAnswer(after: chunks)
        for goal in ["a", "b", "c", "d"] { #expect(try await append(goal) != nil, "\(goal)") }
        #expect(proxy.lostCount == 1)
        #expect(try await append("a") == nil)
        #expect(try schema.integer("SELECT count(*) FROM events") == 5)
        #expect(try schema.integer("SELECT count(*) FROM claimed_goals") == 5)
    }

    /// A network that stands still may pass on what was given up long ago.
    @Test func whatArrivesAfterItWasTakenBackIsTakenBackToo() async throws {
        var options = TestSchema.options
        options.timeout = .seconds(1)
        let address = "\(schema.address) port=\(proxy.port) sslmode=disable"
        let clock = StepClock()
        let journal = PostgresEventJournal(
            try schema.database(address, options: options), lease: .seconds(3600), patience: .seconds(300), time: clock)
        _ = try await aside { try journal.append([Data("first".utf8)]) }
        proxy.holdNext()
        await #expect(throws: StorageError.self) { try await aside { _ = try journal.append([Data("a".utf8)]) } }
        // As the SDK offers it again.
        let ids = try await aside { try journal.append([Data("a".utf8)]) }
        proxy.release()
        #expect(await eventually { (try? schema.integer("SELECT count(*) FROM events")) == 3 }, "it arrives")
        try await journal.renew()
        #expect(try await journal.events(after: 0, limit: 10).dropFirst().map(\.id) == ids)
        // A minute or two later it is not looked for any more.
        clock.advance(by: .seconds(600))
        try await journal.renew()
        #expect(try await journal.events(after: 0, limit: 10).count == 2)
    }

    @Test(arguments: 0..<4) func whatWasTakenOverIsReturned(chunks: Int) async throws {
        let ended = PostgresEventJournal(
            try schema.database(), lease: .seconds(3600), patience: .seconds(300), time: StepClock())
        let ids = try await aside { try ended.append((0..<10).map { Data("\($0)".utf8) }) }
        try schema.connection().execute("UPDATE owners SET expires = '-infinity'")
        let heir = PostgresEventJournal(database, lease: .seconds(3600), patience: .seconds(300), time: StepClock())
        var taken = try await heir.takeOver(1).map(\.id)
        proxy.loseAnswer(after: chunks)
        for _ in 0..<10 { taken += try await heir.takeOver(3).map(\.id) }
        #expect(proxy.lostCount == 1)
        #expect(taken.sorted() == ids, "each once")
        try await heir.remove(ids)
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
    }

    @Test func whatACancelledCallTookOverIsReturnedByTheNext() async throws {
        let ended = PostgresEventJournal(
            try schema.database(), lease: .seconds(3600), patience: .seconds(300), time: StepClock())
        let ids = try await aside { try ended.append((0..<10).map { Data("\($0)".utf8) }) }
        try schema.connection().execute("UPDATE owners SET expires = '-infinity'")
        let heir = PostgresEventJournal(database, lease: .seconds(3600), patience: .seconds(300), time: StepClock())
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await heir.takeOver(100)
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(try await heir.takeOver(100).map(\.id) == ids)
        #expect(try await heir.takeOver(100).isEmpty)
    }

    @Test(arguments: 0..<2) func whatWasRecordedAsNewIsNewOnce(chunks: Int) async throws {
        let history = PostgresEventHistory(database, patience: .seconds(300))
        let other = PostgresEventHistory(try schema.database(), patience: .seconds(300))
        try await aside { try history.record(EventFingerprint(rawValue: 1), at: 5) }
        proxy.loseAnswer(after: chunks)
        for event in (2..<6).map({ EventFingerprint(rawValue: $0) }) {
            #expect(try await aside { try history.recordIfNew(event, at: 5) })
            #expect(try await aside { try !other.recordIfNew(event, at: 5) })
            #expect(try await aside { try !history.recordIfNew(event, at: 6) })
            #expect(try await aside { try other.occurrences(of: event, in: .min ... .max) }.count == 1)
        }
        #expect(proxy.lostCount == 1)
    }

    @Test func aConnectionThatSwallowsEverythingIsGivenUpAndReplaced() async throws {
        var options = TestSchema.options
        options.size = 1
        options.timeout = .seconds(1)
        let address = "\(schema.address) port=\(proxy.port) sslmode=disable"
        let store = PostgresVisitorStore(try schema.database(address, options: options))
        try await store.save(Self.state("1", goal: "g"), for: "v")
        proxy.swallow(true)
        await #expect(throws: StorageError.self) { try await store.load("v") }
        proxy.swallow(false)
        #expect(await eventually { (try? await store.load("v"))?.flatMap { $0 } != nil })
    }

    private static func state(_ variation: String, goal: String) throws -> VisitorState {
        try VisitorState(json: Data(#"{"bucketing":{"e":"\#(variation)"},"goals":{"\#(goal)":true}}"#.utf8))
    }
}
#endif
