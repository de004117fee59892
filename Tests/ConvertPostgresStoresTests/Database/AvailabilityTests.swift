#if Postgres
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// What becomes of calls while the database cannot be used, and after.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct AvailabilityTests {
    let schema: TestSchema
    private static var record: VisitorState {
        get throws { try VisitorState(json: Data(#"{"goals":{"g":true}}"#.utf8)) }
    }

    init() throws { schema = try TestSchema() }

    private func code(_ body: () async throws -> Void) async -> StorageError.Code? {
        do { try await body() } catch { return (error as? StorageError)?.code }
        return nil
    }

    private func isWellAgain(_ store: PostgresVisitorStore) async -> Bool {
        await eventually { await code { try await store.save(Self.record, for: "again") } == nil }
    }

    @Test func whoEndsAllConnectionsEndsNoSave() async throws {
        var options = TestSchema.options
        options.size = 2
        let name = "application_name=\(schema.name)"
        let store = PostgresVisitorStore(try schema.database("\(schema.address) \(name)", options: options))
        for round in 0..<10 {
            try await store.save(Self.record, for: "v\(round)")
            _ = try schema.connection().run(
                Command(
                    """
                    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                        WHERE application_name = current_setting('search_path')
                    """))
            #expect(try await store.load("v\(round)") == Self.record)
        }
        #expect(schema.reported.isEmpty)
    }

    @Test func aSessionThatWasPutBackIsReplaced() async throws {
        var options = TestSchema.options
        options.size = 1
        let database = try schema.database(options: options)
        let store = PostgresVisitorStore(database)
        try await store.save(Self.record, for: "v")
        for statement in ["DEALLOCATE ALL", "DISCARD ALL", "RESET search_path"] {
            try await database.pool.perform { try $0.execute(statement) }
            _ = try? await store.load("v")
            #expect(try await store.load("v") == Self.record, "\(statement)")
        }
    }

    @Test func aDatabaseThatIsGoneIsToldOnceAndTriedAgain() async throws {
        let refusing = try RefusingPort()
        let port = try #require(refusing.url.port)
        let store = PostgresVisitorStore(try schema.database("\(schema.address) port=\(port)"))
        for _ in 0..<50 { #expect(await code { try await store.save(Self.record, for: "v") } == .unreachable) }
        #expect(await code { _ = try await store.load("v") } == .unreachable)
        #expect(await eventually { schema.reported.count == 1 })
        guard case .databaseUnavailable(let error) = schema.reported.first else {
            Issue.record("\(schema.reported)")
            return
        }
        #expect(error.code == .unreachable && !"\(error)".contains("secret"))
    }

    @Test func aUserWithoutConnectionsGetsOneLater() async throws {
        let role = "r" + schema.name
        let connection = try schema.connection()
        try await schema.database().prepare()
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'secret' CONNECTION LIMIT 0; GRANT USAGE ON SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(role)
            """)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let database = try schema.database("\(schema.address) user=\(role)")
        let store = PostgresVisitorStore(database)
        #expect(await code { try await store.save(Self.record, for: "v") } == .tooManyConnections)
        try connection.execute("ALTER ROLE \(role) CONNECTION LIMIT 5")
        #expect(await isWellAgain(store))
        #expect(await eventually { schema.reported.count == 2 })
        #expect(schema.reported.last == .databaseAvailable(path: database.pool.address.name))
    }

    @Test func aDatabaseThatCannotBeWrittenToCanBeRead() async throws {
        let role = "r" + schema.name
        let connection = try schema.connection()
        let owner = PostgresVisitorStore(try schema.database())
        try await owner.save(Self.record, for: "v")
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(role);
            ALTER ROLE \(role) SET default_transaction_read_only = on
            """)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let store = PostgresVisitorStore(try schema.database("\(schema.address) user=\(role)"))
        #expect(await code { try await store.save(Self.record, for: "w") } == .readOnly)
        #expect(try await store.load("v") == Self.record)
        #expect(await code { try await store.save(Self.record, for: "w") } == .readOnly)
        try connection.execute("ALTER ROLE \(role) SET default_transaction_read_only = off")
        #expect(await isWellAgain(store))
        #expect(await eventually { schema.reported.count == 2 })
    }

    @Test func aSlowDatabaseIsGivenUpInTime() async throws {
        var options = TestSchema.options
        options.timeout = .seconds(2)
        let store = PostgresVisitorStore(try schema.database(options: options))
        #expect(await isWellAgain(store))
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE visitors")
        #expect(await code { _ = try await store.load("v") } == .timedOut)
        try other.execute("COMMIT")
        #expect(await isWellAgain(store))
    }

    @Test func writersWhoWaitAreToldOfOnceThoughReadersDoNot() async throws {
        var options = TestSchema.options
        options.timeout = .seconds(1)
        let database = try schema.database(options: options)
        let store = PostgresVisitorStore(database)
        #expect(await isWellAgain(store))
        let before = schema.reported.count
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE visitors IN SHARE MODE")
        for _ in 0..<2 {
            #expect(await code { try await store.save(Self.record, for: "v") } == .timedOut)
            #expect(await eventually { await code { _ = try await store.load("v") } == nil })
        }
        #expect(await eventually { schema.reported.count == before + 1 })
        try other.execute("COMMIT")
        #expect(await isWellAgain(store))
        #expect(await eventually { schema.reported.count == before + 2 })
        #expect(schema.reported.last == .databaseAvailable(path: database.pool.address.name))
    }

    @Test func aHostThatIsSilentDoesNotHideTheOthers() async throws {
        let port = try #require(schema.address.firstMatch(of: /port=(\d+)/).flatMap { UInt16($0.1) })
        let silent = try TestProxy(to: port)
        defer { silent.stop() }
        silent.swallow(true)
        var options = TestSchema.options
        options.timeout = .seconds(1)
        let store = PostgresVisitorStore(
            try schema.database(
                "\(schema.address) host=127.0.0.1,127.0.0.1,127.0.0.1 port=\(silent.port),\(silent.port),\(port)",
                options: options))
        #expect(await isWellAgain(store))
    }

    /// Servers of a fleet may share fewer connections than all of them would open.
    @Test func whoGetsFewConnectionsWorksWithThose() async throws {
        let role = "r" + schema.name
        let connection = try schema.connection()
        try await schema.database().prepare()
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'secret' CONNECTION LIMIT 1; GRANT USAGE ON SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(role)
            """)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let database = try schema.database("\(schema.address) user=\(role)")
        let store = PostgresVisitorStore(database)
        #expect(await isWellAgain(store))
        try await withThrowingTaskGroup { group in
            for number in 0..<2000 {
                group.addTask {
                    try await store.save(Self.record, for: "v\(number % 50)")
                    try await database.pool.perform { _ = try $0.run(Command("SELECT 1")) }
                }
            }
            try await group.waitForAll()
        }
        #expect(schema.reported.isEmpty)
    }

    @Test func tooManyWhoWaitAreTurnedAway() async throws {
        var options = TestSchema.options
        options.size = 1
        options.lineLimit = 3
        let database = try schema.database(options: options)
        try await database.prepare()
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE visitors")
        let codes = await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    await code { try await database.pool.perform { _ = try $0.run(Command("SELECT FROM visitors")) } }
                }
            }
            var codes = await [group.next(), group.next(), group.next(), group.next(), group.next(), group.next()]
            try? other.execute("COMMIT")
            for await code in group { codes.append(code) }
            return codes.map { $0 ?? nil }
        }
        #expect(codes == Array(repeating: .busy, count: 6) + Array(repeating: nil, count: 4))
    }
}
#endif
