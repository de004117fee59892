#if Postgres
import ConvertLedgers
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// What becomes of a ledger's calls while the database cannot be used, and after.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct LedgerAvailabilityTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    private func error(_ body: () async throws -> Void) async -> StorageError? {
        do { try await body() } catch { return error as? StorageError }
        return nil
    }

    /// A role with all rights on the tables.
    private func makeRole(_ options: String, _ connection: Connection) async throws -> String {
        let role = "r" + schema.name
        let owner = try schema.ledger()
        _ = try await owner.begin()
        await owner.close()
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'secret' \(options); GRANT USAGE ON SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL SEQUENCES IN SCHEMA \(schema.name) TO \(role)
            """)
        return role
    }

    private func entries(_ count: Int, _ owner: UInt32, from number: UInt32 = 1) throws -> [LedgerEntry] {
        try (0..<count).map { index in
            let id = EventID(owner: owner, number: number + UInt32(index))
            return try .goal("g", of: "\(number + UInt32(index))", id: id)
        }
    }

    @Test func aServerThatIsStoppedAndStartedIsFoundAgain() async throws {
        let name = "s_" + UUID().uuidString.lowercased().replacing("-", with: "")
        _ = try await ServerTool.call(["make", name])
        defer { _ = try? ServerTool.run(["remove", name]) }
        let schema = try TestSchema(address: await ServerTool.call(["address", name]))
        let ledger = try schema.ledger()
        let owner = try await ledger.begin()
        #expect(try await ledger.commit(entries(200, owner)).count == 200)
        for mode in ["fast", "immediate"] {
            _ = try await ServerTool.call(["stop", name, "-m", mode])
            #expect(await error { _ = try await ledger.visitor("1") }?.code == .unreachable)
            #expect(await error { _ = try await ledger.commit(entries(200, owner)) }?.code == .unreachable)
            _ = try await ServerTool.call(["start", name])
            #expect(await eventually { await error { _ = try await ledger.visitor("1") } == nil })
            let outcomes = try await ledger.commit(entries(200, owner))
            #expect(outcomes.allSatisfy { $0.unreported.isEmpty }, "its own entries once more")
        }
        #expect(try await ledger.undelivered(after: nil, limit: 1000).count == 200)
        #expect(await eventually { schema.reported.count == 4 }, "away and back, twice")
        await ledger.close()
    }

    @Test func aLedgerThatGetsOneConnectionWorksWithIt() async throws {
        let connection = try schema.connection()
        let role = try await makeRole("CONNECTION LIMIT 1", connection)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let ledger = try schema.ledger("\(schema.address) user=\(role)", connections: 3)
        let owner = try await ledger.begin()
        for round in 0..<5 {
            let outcomes = try await ledger.commit(entries(500, owner, from: UInt32(1 + round * 500)))
            #expect(outcomes.allSatisfy { $0.unreported.isEmpty })
        }
        #expect(try schema.integer("SELECT count(*) FROM events") == 2500)
        await ledger.close()
    }

    @Test func aLedgerWithoutAConnectionGetsOneLater() async throws {
        let connection = try schema.connection()
        let role = try await makeRole("CONNECTION LIMIT 0", connection)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let ledger = try schema.ledger("\(schema.address) user=\(role)")
        #expect(await error { _ = try await ledger.begin() }?.code == .tooManyConnections)
        try connection.execute("ALTER ROLE \(role) CONNECTION LIMIT 5")
        #expect(await eventually { await error { _ = try await ledger.begin() } == nil })
        #expect(await eventually { schema.reported.count == 2 })
        await ledger.close()
    }

    /// The error names the right that a user lacks; with that right the ledger works.
    @Test(arguments: [
        "REVOKE USAGE ON SCHEMA $ FROM #", "REVOKE INSERT ON $.visitors FROM #", "REVOKE DELETE ON $.events FROM #",
        "REVOKE UPDATE ON $.owners FROM #", "REVOKE USAGE, UPDATE ON SEQUENCE $.owner_ids FROM #",
    ]) func aMissingRightIsNamed(revoking: String) async throws {
        let connection = try schema.connection()
        let role = try await makeRole("", connection)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        try connection.execute(revoking.replacing("$", with: schema.name).replacing("#", with: role))
        let ledger = try schema.ledger("\(schema.address) user=\(role)")
        func use() async throws {
            let owner = try await ledger.begin()
            _ = try await ledger.commit(entries(1, owner))
            try await ledger.remove([EventID(owner: owner, number: 1)])
        }
        let missing = await error(use)
        #expect(missing?.code == .missingRight)
        let grant = try #require(missing?.missingGrant)
        try connection.execute(grant)
        // What was tried a moment ago is not tried again at once.
        #expect(await eventually { await error(use) == nil }, "\(grant)")
        await ledger.close()
    }

    @Test func aUserWhoMayNotMakeTheTablesLearnsTheGrant() async throws {
        let connection = try schema.connection()
        let role = "r" + schema.name
        try connection.execute("CREATE ROLE \(role) LOGIN PASSWORD 'secret'")
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let ledger = try schema.ledger("\(schema.address) user=\(role)")
        #expect(
            await error { _ = try await ledger.begin() }?.missingGrant
                == "GRANT CREATE ON DATABASE postgres TO \(role)")
        await ledger.close()
    }

    @Test func aCommitThatWaitsTooLongForALockIsGivenUp() async throws {
        let ledger = try schema.ledger(timeout: .seconds(2))
        let owner = try await untilAnswered { try await ledger.begin() }
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE visitors")
        #expect(await error { _ = try await ledger.commit(entries(1, owner)) }?.code == .timedOut)
        try other.execute("COMMIT")
        #expect(await eventually { await error { _ = try await ledger.commit(entries(1, owner)) } == nil })
        await ledger.close()
    }

    @Test func aServerThatIsSilentIsGivenUpAndFoundAgain() async throws {
        let proxy = try TestProxy(to: schema.port)
        defer { proxy.stop() }
        // With TLS, as it is used.
        let ledger = try schema.ledger("\(schema.address) port=\(proxy.port)", timeout: .seconds(2))
        let owner = try await untilAnswered { try await ledger.begin() }
        proxy.swallow(true)
        #expect(await error { _ = try await ledger.commit(entries(200, owner)) }?.code == .timedOut)
        proxy.swallow(false)
        #expect(await eventually { await error { _ = try await ledger.commit(entries(200, owner)) } == nil })
        #expect(try schema.integer("SELECT count(*) FROM events") == 200)
        await ledger.close()
    }

    @Test func recordsThatCannotBeReadAreReplacedAndReported() async throws {
        let ledger = try schema.ledger()
        let owner = try await ledger.begin()
        _ = try await ledger.commit(entries(1, owner))
        try schema.connection().execute("UPDATE visitors SET record = 'nonsense'")
        #expect(try await ledger.visitor("1") == nil)
        let entry = try LedgerEntry.goal("h", of: "1", id: EventID(owner: owner, number: 2))
        _ = try await ledger.commit([entry])
        #expect(try await ledger.visitor("1")?.goals?.count == 1)
        #expect(await eventually { schema.reported.count == 1 })
        await ledger.close()
    }

    @Test func aVisitorsDayIsThatOfTheLastEntryThoughNothingChanged() async throws {
        let ledger = try schema.ledger()
        let entry = try entries(1, try await ledger.begin())[0]
        _ = try await ledger.commit([entry])
        try schema.connection().execute("UPDATE visitors SET saved_on = current_date - 5")
        _ = try await ledger.commit([entry])
        #expect(try schema.integer("SELECT count(*) FROM visitors WHERE saved_on = current_date") == 1)
        await ledger.close()
    }

    @Test(arguments: [Int.min, 0, .max]) func limitsOfVisitorsMayBeAny(limit: Int) async throws {
        let clock = StepClock()
        let ledger = try schema.ledger(
            lease: .seconds(30), retention: VisitorRetention(days: limit, count: limit), time: clock)
        let owner = try await ledger.begin()
        _ = try await ledger.commit(entries(10, owner))
        let kept: Int64 = limit == .max ? 10 : 1
        #expect(await eventually { clock.isAwaited(in: .seconds(10)) })
        clock.advance(by: .seconds(10))
        #expect(await eventually { (try? schema.integer("SELECT count(*) FROM visitors")) == kept })
        await ledger.close()
    }

    @Test func oldVisitorsAreDeletedByAgeAndByCount() async throws {
        let clock = StepClock()
        let ledger = try schema.ledger(
            lease: .seconds(30), retention: VisitorRetention(days: 10, count: 50), time: clock)
        let owner = try await ledger.begin()
        _ = try await ledger.commit(entries(100, owner))
        let connection = try schema.connection()
        try connection.execute(
            """
            UPDATE visitors SET saved_on = current_date - 11 WHERE convert_from(key, 'UTF8')::integer <= 20;
            UPDATE visitors SET saved_on = current_date - 9 WHERE convert_from(key, 'UTF8')::integer BETWEEN 21 AND 40
            """)
        #expect(await eventually { clock.isAwaited(in: .seconds(10)) })
        clock.advance(by: .seconds(10))
        #expect(await eventually { (try? schema.integer("SELECT count(*) FROM visitors")) == 50 })
        #expect(try await ledger.visitor("20") == nil)
        #expect(try await ledger.visitor("40") == nil)
        #expect(try schema.integer("SELECT count(*) FROM visitors WHERE saved_on < current_date") == 0)
        #expect(try schema.integer("SELECT count(*) FROM events") == 100, "events stay until they are delivered")
        await ledger.close()
    }
}
#endif
