#if Postgres
import ConvertLedgers
import ConvertMobileRules
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct SchemaTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    @Test func serversThatStartAtOnceMakeItOnce() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                let database = try schema.database()
                group.addTask { try await database.prepare() }
            }
            try await group.waitForAll()
        }
        #expect(try schema.integer("SELECT sum(version) FROM schema_version") == Int64(Schema.steps.count))
    }

    @Test func goesOnFromEveryStep() async throws {
        for count in 1...Schema.steps.count {
            let schema = try TestSchema()
            try await schema.database(steps: Array(Schema.steps.prefix(count))).prepare()
            try await schema.database().prepare()
            #expect(try schema.integer("SELECT max(version) FROM schema_version") == Int64(Schema.steps.count))
        }
    }

    @Test func aLaterVersionIsLeftAlone() async throws {
        try await schema.database(steps: Schema.steps + ["CREATE TABLE later (number bigint)"]).prepare()
        let error = await #expect(throws: StorageError.self) { try await schema.database().prepare() }
        #expect(error?.code == .newerVersion)
        let ledger = try schema.ledger()
        await #expect(throws: StorageError.self) { try await ledger.begin() }
        #expect(try schema.integer("SELECT max(version) FROM schema_version") == Int64(Schema.steps.count) + 1)
    }

    @Test func aStepThatFailsLeavesNothing() async throws {
        let steps = Schema.steps + ["CREATE TABLE half (number bigint); SELECT 1 / 0"]
        await #expect(throws: StorageError.self) { try await schema.database(steps: steps).prepare() }
        #expect(try schema.integer("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()") == 0)
        try await schema.database().prepare()
    }

    @Test(arguments: [
        "CREATE TABLE visitors (key text)", "CREATE TABLE schema_version (version integer NOT NULL)",
        "CREATE TABLE schema_version (installed text)", "CREATE VIEW schema_version AS SELECT 0 AS version",
        "CREATE FUNCTION record_occurrence(bigint, bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        "CREATE SEQUENCE visitors",
    ]) func whatBelongsToSomethingElseIsLeftAlone(statement: String) async throws {
        let connection = try schema.connection()
        try connection.execute("CREATE SCHEMA \(schema.name); \(statement)")
        let count: StaticString = "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        let before = try schema.integer(count)
        let error = await #expect(throws: StorageError.self) { try await schema.database().prepare() }
        #expect(error?.code == .foreignDatabase, "\(error as Any)")
        #expect(await eventually { schema.reported.count == 1 })
        #expect(try schema.integer(count) == before)
    }

    @Test func missingRightsNameTheGrant() async throws {
        let connection = try schema.connection()
        let role = "r" + schema.name
        try connection.execute("CREATE ROLE \(role) LOGIN PASSWORD 'secret'")
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let ledger = try schema.ledger("\(schema.address) user=\(role)")
        func grant() async -> String? {
            do {
                let id = EventID(owner: try await ledger.begin(), number: 1)
                _ = try await ledger.commit([.goal("g", of: "v", id: id)])
            } catch { return (error as? StorageError)?.missingGrant }
            return nil
        }
        #expect(await grant() == "GRANT CREATE ON DATABASE postgres TO \(role)")
        try await schema.database().prepare()
        var given: [String] = []
        // The connection is retried after pauses of milliseconds.
        for _ in 0..<2000 {
            guard let next = await grant() else { break }
            if !next.contains("ON DATABASE"), given.last != next {
                given.append(next)
                try connection.execute(next)
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(await grant() == nil)
        let first = given.first ?? ""
        #expect(first.hasPrefix("GRANT USAGE ON SCHEMA \(schema.name) TO \(role); GRANT "))
        #expect(first.contains("GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE \(schema.name).visitors TO \(role)"))
        #expect(!first.contains("CREATE"))
        await ledger.close()
    }

    @Test func aSchemaThatIsThereIsMadeUseOfWithoutRightsInTheDatabase() async throws {
        let connection = try schema.connection()
        let role = "r" + schema.name
        try connection.execute(
            "CREATE ROLE \(role) LOGIN PASSWORD 'secret'; CREATE SCHEMA \(schema.name) AUTHORIZATION \(role)")
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        try await schema.database("\(schema.address) user=\(role)").prepare()
    }

    /// The error names the right that a user lacks; with that right the store works.
    @Test(arguments: [
        "REVOKE CREATE ON SCHEMA $ FROM #; REVOKE UPDATE ON $.schema_version FROM #", "REVOKE USAGE ON SCHEMA $ FROM #",
        "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA $ FROM public, #", "REVOKE DELETE ON $.occurrences FROM #",
        "REVOKE SELECT ON $.schema_version FROM #",
    ]) func eachRightIsNamed(revoking: String) async throws {
        let isChanging = revoking.contains("UPDATE")
        try await schema.database(steps: Array(Schema.steps.prefix(isChanging ? 1 : Schema.steps.count))).prepare()
        let connection = try schema.connection()
        let role = "R\"" + schema.name
        let quoted = "\"R\"\"\(schema.name)\""
        try connection.execute(
            """
            CREATE TABLE payroll (salary bigint); CREATE ROLE \(quoted) LOGIN PASSWORD 'secret';
            GRANT ALL ON SCHEMA \(schema.name) TO \(quoted);
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(quoted);
            GRANT ALL ON ALL SEQUENCES IN SCHEMA \(schema.name) TO \(quoted); REVOKE ALL ON payroll FROM \(quoted)
            """)
        defer { try? connection.execute("DROP OWNED BY \(quoted) CASCADE; DROP ROLE \(quoted)") }
        try connection.execute(revoking.replacing("$", with: schema.name).replacing("#", with: quoted))
        let history = PostgresEventHistory(
            try schema.database("\(schema.address) user='\(role)'"), patience: .seconds(300))
        func grant() async throws -> String? {
            do {
                _ = try await aside { try history.recordIfNew(EventFingerprint(rawValue: 7), at: 5) }
                _ = try await aside { try history.remove(EventFingerprint(rawValue: 7), in: 0...9) }
            } catch let error as StorageError {
                #expect(error.code == .missingRight)
                return error.missingGrant ?? ""
            }
            return nil
        }
        let missing = try #require(try await grant())
        #expect(missing.contains("GRANT") && !missing.contains("payroll"))
        try connection.execute(missing)
        // What was tried a moment ago is not tried again at once.
        for _ in 0..<200 where try await grant() != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await grant() == nil)
    }

    @Test func theRightToConnectIsNamed() async throws {
        let connection = try schema.connection()
        let role = "r" + schema.name
        for statement in [
            "CREATE DATABASE \(schema.name)", "REVOKE CONNECT ON DATABASE \(schema.name) FROM public",
            "CREATE ROLE \(role) LOGIN PASSWORD 'secret'",
        ] { try connection.execute(statement) }
        defer {
            try? connection.execute("DROP DATABASE \(schema.name)")
            try? connection.execute("DROP ROLE \(role)")
        }
        func connect() throws {
            _ = try Connection(
                DatabaseAddress("\(schema.address) user=\(role) dbname=\(schema.name)"), timeout: .seconds(300))
        }
        let error = #expect(throws: StorageError.self) { try connect() }
        #expect(error?.code == .missingRight)
        try connection.execute(#require(error?.missingGrant))
        try connect()
    }
}
#endif
