#if Postgres
import ConvertStoreContracts
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct EventJournalTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    /// A journal whose clock stands, so that it renews its lease when it is told to.
    private func open(
        lease: Duration = .seconds(3600), patience: Duration = .seconds(300), options: Pool.Options = TestSchema.options
    ) throws -> PostgresEventJournal {
        PostgresEventJournal(
            try schema.database(options: options), lease: lease, patience: patience, time: StepClock())
    }

    private func append(_ texts: [String], to journal: PostgresEventJournal) async throws -> [Int64] {
        try await aside { try journal.append(texts.map { Data($0.utf8) }) }
    }

    private func end() throws {
        try schema.connection().execute("UPDATE owners SET expires = '-infinity'")
    }

    @Test(arguments: EventJournalContract.allCases)
    func keepsTheContract(clause: EventJournalContract) async throws { try await clause.check { try open() } }

    @Test func serversDoNotSeeEachOthersEvents() async throws {
        let (one, other) = (try open(), try open())
        let ids = try await append(["a", "b"], to: one)
        let others = try await append(["c"], to: other)
        #expect(Set(ids).isDisjoint(with: others))
        #expect(try await one.events(after: 0, limit: 10).map(\.id) == ids)
        #expect(try await other.events(after: 0, limit: 10).map(\.id) == others)
        #expect(try await other.takeOver(10).isEmpty)
    }

    @Test func eventsOfAServerThatEndedAreTakenOverOnce() async throws {
        let ended = try open()
        let ids = try await append((0..<100).map { "\($0)" }, to: ended)
        try end()
        let others = try (0..<4).map { _ in try open() }
        let taken = try await withThrowingTaskGroup { group in
            for other in others {
                group.addTask {
                    var taken: [JournaledEvent] = []
                    for _ in 0..<20 { taken += try await other.takeOver(7) }
                    return taken
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        var rest = taken
        while rest.count < ids.count {
            let more = try await others[0].takeOver(7)
            if more.isEmpty { break }
            rest += more
        }
        #expect(rest.map(\.id).sorted() == ids, "each once, under the ids that they had")
        #expect(rest.allSatisfy { Data("\($0.id - ids[0])".utf8) == $0.record })
        for other in others { #expect(try await other.events(after: 0, limit: 1000).isEmpty) }
        for other in others { try await other.remove(ids) }
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
        #expect(await eventually { schema.reported.contains { if case .eventsTakenOver = $0 { true } else { false } } })
    }

    @Test func whoTookOverMayEndTooAndIsTakenOver() async throws {
        let ids = try await append(["a"], to: open())
        let second = try open()
        // The first was released with its object.
        var taken: [JournaledEvent] = []
        while taken.isEmpty { taken = try await second.takeOver(10) }
        #expect(taken.map(\.id) == ids)
        try end()
        let third = try open()
        #expect(try await third.takeOver(10).map(\.id) == ids)
        #expect(try await second.takeOver(10).isEmpty)
    }

    /// A server that was taken for dead makes an append again whose answer it did not get.
    @Test func aRowThatIsAppendedAgainStandsInNobodysWay() async throws {
        let (slow, heir) = (try open(), try open())
        let ids = try await append(["a", "b", "c"], to: slow)
        let owner = try schema.integer("SELECT owner FROM owners")
        try end()
        #expect(try await heir.takeOver(2).map(\.id) == Array(ids.prefix(2)))
        let entry = EventTable.Entry(call: JournalCall(rows: [Data("b".utf8)]), ids: [ids[1]])
        _ = try EventTable.append([entry], owner: owner, schema.connection())
        let another = try await append(["d"], to: open())
        try end()
        var taken: [Int64] = []
        for _ in 0..<5 { taken += try await heir.takeOver(1).map(\.id) }
        #expect(taken.sorted() == [ids[2]] + another, "what it has already is not returned again")
        #expect(try schema.integer("SELECT count(*) FROM events WHERE id > 0") == 4)
    }

    @Test func aServerThatLivesOnAfterItWasTakenForDeadAppendsAgain() async throws {
        let (slow, other) = (try open(), try open())
        let first = try await append(["a"], to: slow)
        try end()
        #expect(try await other.takeOver(10).map(\.id) == first)
        let second = try await append(["b"], to: slow)
        #expect(try await slow.events(after: 0, limit: 10).map(\.id) == second)
        try await slow.renew()
        #expect(try await other.takeOver(10).isEmpty)
    }

    @Test func aRenewedLeaseIsNotTaken() async throws {
        let (one, other) = (try open(), try open())
        _ = try await append(["a"], to: one)
        try end()
        try await one.renew()
        #expect(try await other.takeOver(10).isEmpty)
    }

    @Test func aLeaseIsRenewedThoughAllOtherConnectionsAreBusy() async throws {
        var options = TestSchema.options
        options.size = 1
        let database = try schema.database(options: options)
        let journal = PostgresEventJournal(
            database, lease: .seconds(3600), patience: .seconds(300), time: StepClock())
        _ = try await append(["a"], to: journal)
        try end()
        let isBusy = DispatchSemaphore(value: 0)
        let busy = Task { try await database.pool.perform { _ in isBusy.wait() } }
        try await journal.renew()
        #expect(try schema.integer("SELECT count(*) FROM owners WHERE expires > now()") == 1)
        isBusy.signal()
        try await busy.value
    }

    @Test func aLeaseIsRenewedThoughTheJournalGetsNoConnection() async throws {
        let role = "r" + schema.name
        let connection = try schema.connection()
        try await schema.database().prepare()
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL SEQUENCES IN SCHEMA \(schema.name) TO \(role)
            """)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let database = try schema.database("\(schema.address) user=\(role)")
        let journal = PostgresEventJournal(database, lease: .seconds(3600), patience: .seconds(300), time: StepClock())
        _ = try await append(["a"], to: journal)
        try connection.execute("ALTER ROLE \(role) CONNECTION LIMIT 1")
        _ = try connection.run(
            Command("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = $1", .text(role)))
        try await database.prepare()
        try end()
        try await journal.renew()
        #expect(try schema.integer("SELECT count(*) FROM owners WHERE expires > now()") == 1)
    }

    @Test func aGoalCountsOnceForAllServers() async throws {
        let journals = try (0..<3).map { _ in try open() }
        let answers = try await withThrowingTaskGroup { group in
            for index in 0..<30 {
                let journal = journals[index % 3]
                let call = JournalCall(
                    rows: [Data("event".utf8), Data("claim".utf8)], visitor: "v", goals: ["goal-\(index / 3 % 5)"])
                group.addTask {
                    try await aside { try journal.append([call, JournalCall(rows: [Data("\(index)".utf8)])]) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0[1]?.count == 1 })
        #expect(answers.compactMap { $0[0] }.count == 5)
        #expect(try schema.integer("SELECT count(*) FROM events") == 30 + 2 * 5)
        let again = JournalCall(rows: [Data(), Data()], visitor: "v", goals: ["goal-0"], isReported: true)
        #expect(try journals[0].append([again])[0]?.count == 2, "what is on its way is kept")
        let late = JournalCall(rows: [Data(), Data()], visitor: "v", goals: ["goal-0"])
        #expect(try journals[0].append([late]) == [nil])
        let other = JournalCall(
            rows: [Data(), Data()], visitor: String(repeating: "v", count: 1 << 20),
            goals: [String(repeating: "g", count: 1 << 20)])
        #expect(try journals[0].append([other])[0]?.count == 2)
        #expect(try journals[1].append([other]) == [nil])
    }

    @Test func afterALongSilenceNobodyIsTakenForEndedBeforeAllCouldRenew() async throws {
        let ids = try await append(["a"], to: open())
        let clock = StepClock()
        let heir = PostgresEventJournal(
            try schema.database(), lease: .seconds(60), patience: .seconds(300), time: clock)
        _ = try await append(["b"], to: heir)
        clock.advance(by: .seconds(100))
        try end()
        #expect(try await heir.takeOver(10).isEmpty)
        for _ in 0..<3 {
            clock.advance(by: .seconds(30))
            try await heir.renew()
        }
        #expect(try await heir.takeOver(10).map(\.id) == ids)
    }

    @Test func whatIsCommittedTooLateIsTakenBack() async throws {
        let journal = try open(patience: .milliseconds(200))
        try await journal.open(in: schema)
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE events IN EXCLUSIVE MODE")
        let call = JournalCall(rows: [Data(), Data()], visitor: "v", goals: ["g"])
        let error = await #expect(throws: StorageError.self) { try await aside { _ = try journal.append([call]) } }
        #expect(error?.code == .timedOut)
        try other.execute("COMMIT")
        // The journal's one connection takes it back first.
        var ids: [Int64]?
        #expect(
            await eventually {
                ids = (try? await aside { try journal.append([call]) })?[0]
                return ids != nil
            }, "the goal is free again")
        #expect(ids?.count == 2)
        #expect(try schema.integer("SELECT count(*) FROM events") == 3, "those two, and the first one")
    }

    @Test func aGoalThatIsStoredStaysCountedThoughItsRowIsTakenBack() async throws {
        let journal = try open()
        let call = JournalCall(rows: [Data(), Data()], visitor: "v", goals: ["g"])
        let ids = try #require(try await aside { try journal.append([call]) }[0])
        let store = PostgresVisitorStore(try schema.database())
        try await store.save(VisitorState(json: Data(#"{"goals":{"g":true}}"#.utf8)), for: "v")
        let owner = try schema.integer("SELECT owner FROM owners")
        try EventTable.withdraw(ids, of: owner, schema.connection())
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
        #expect(try await aside { try journal.append([call]) } == [nil])
    }

    @Test func manyRowsTakeSeveralBlocksOfIDs() async throws {
        let journal = try open()
        let ids = try await append((0..<5000).map { "\($0)" }, to: journal)
        #expect(ids == ids.sorted() && Set(ids).count == 5000)
        #expect(try await journal.events(after: 0, limit: 10_000).map(\.id) == ids)
        try await journal.remove(ids)
        #expect(try schema.integer("SELECT count(*) FROM events") == 0)
    }
}

extension PostgresEventJournal {
    /// Makes the journal one that need not connect first.
    fileprivate func open(in schema: TestSchema) async throws {
        for _ in 0..<1000 {
            if (try? append([Data("first".utf8)])) != nil { return }
        }
    }
}
#endif
