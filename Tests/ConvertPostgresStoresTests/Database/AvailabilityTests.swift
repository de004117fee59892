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

/// What becomes of calls while the database cannot be used, and after.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct AvailabilityTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    private func code(_ body: () async throws -> Void) async -> StorageError.Code? {
        do { try await body() } catch { return (error as? StorageError)?.code }
        return nil
    }

    /// Begins as a new owner and stores an entry.
    private func store(_ visitor: String = "v", in ledger: PostgresLedger) async throws {
        let id = EventID(owner: try await ledger.begin(), number: 1)
        _ = try await ledger.commit([.goal("g", of: visitor, id: id)])
    }

    private func isStored(_ visitor: String = "v", in ledger: PostgresLedger) async throws -> Bool {
        try await ledger.visitor(visitor)?.goals?.count == 1
    }

    private func isWellAgain(_ ledger: PostgresLedger) async -> Bool {
        await eventually { await code { try await store("again", in: ledger) } == nil }
    }

    @Test func endingAllConnectionsEndsNoCommit() async throws {
        let ledger = try schema.ledger("\(schema.address) application_name=\(schema.name)", connections: 2)
        for round in 0..<10 {
            try await store("v\(round)", in: ledger)
            _ = try schema.connection().run(
                Command(
                    """
                    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                        WHERE application_name = current_setting('search_path')
                    """))
            #expect(try await isStored("v\(round)", in: ledger))
        }
        #expect(schema.reported.isEmpty)
    }

    @Test func aSessionThatWasPutBackIsReplaced() async throws {
        let ledger = try schema.ledger(connections: 1)
        try await store(in: ledger)
        for statement in ["DEALLOCATE ALL", "DISCARD ALL", "RESET search_path"] {
            try await ledger.pool.perform { try $0.execute(statement) }
            _ = try? await ledger.visitor("v")
            #expect(try await isStored(in: ledger), "\(statement)")
        }
    }

    @Test func aMissingDatabaseIsReportedOnceAndTriedAgain() async throws {
        let refusing = try RefusingPort()
        let port = try #require(refusing.url.port)
        let ledger = try schema.ledger("\(schema.address) port=\(port)")
        for _ in 0..<50 { #expect(await code { try await store(in: ledger) } == .unreachable) }
        #expect(await code { _ = try await ledger.visitor("v") } == .unreachable)
        #expect(await eventually { schema.reported.count == 1 })
        guard case .databaseUnavailable(let error) = schema.reported.first else {
            Issue.record("\(schema.reported)")
            return
        }
        #expect(error.code == .unreachable && !"\(error)".contains("secret"))
    }

    @Test func aDatabaseThatCannotBeWrittenToCanBeRead() async throws {
        let role = "r" + schema.name
        let connection = try schema.connection()
        let owner = try schema.ledger()
        try await store(in: owner)
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(schema.name) TO \(role);
            GRANT ALL ON ALL SEQUENCES IN SCHEMA \(schema.name) TO \(role);
            ALTER ROLE \(role) SET default_transaction_read_only = on
            """)
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let ledger = try schema.ledger("\(schema.address) user=\(role)")
        #expect(await code { try await store("w", in: ledger) } == .readOnly)
        #expect(try await isStored(in: ledger))
        #expect(await code { try await store("w", in: ledger) } == .readOnly)
        try connection.execute("ALTER ROLE \(role) SET default_transaction_read_only = off")
        #expect(await isWellAgain(ledger))
        #expect(await eventually { schema.reported.count == 2 })
    }

    @Test func waitingWritersAreReportedOnceThoughReadersDoNotWait() async throws {
        let ledger = try schema.ledger(timeout: .seconds(1))
        #expect(await isWellAgain(ledger))
        let before = schema.reported.count
        let other = try schema.connection()
        try other.execute("BEGIN; LOCK TABLE visitors IN SHARE MODE")
        for _ in 0..<2 {
            #expect(await code { try await store(in: ledger) } == .timedOut)
            #expect(await eventually { await code { _ = try await ledger.visitor("v") } == nil })
        }
        #expect(await eventually { schema.reported.count == before + 1 })
        try other.execute("COMMIT")
        #expect(await isWellAgain(ledger))
        #expect(await eventually { schema.reported.count == before + 2 })
        #expect(schema.reported.last == .databaseAvailable(path: ledger.pool.address.name))
    }

    @Test func aHostThatIsSilentDoesNotHideTheOthers() async throws {
        let port = try schema.port
        let silent = try TestProxy(to: port)
        defer { silent.stop() }
        silent.swallow(true)
        let ledger = try schema.ledger(
            "\(schema.address) host=127.0.0.1,127.0.0.1,127.0.0.1 port=\(silent.port),\(silent.port),\(port)",
            timeout: .seconds(1))
        #expect(await isWellAgain(ledger))
    }

    @Test func waitersBeyondTheLimitAreRefused() async throws {
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
