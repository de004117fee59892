#if Postgres
import ConvertStoreSupport
import ConvertSwiftSDKCore
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
        let store = PostgresVisitorStore(try schema.database())
        await #expect(throws: StorageError.self) { try await store.save(VisitorState(), for: "v") }
        #expect(try schema.integer("SELECT max(version) FROM schema_version") == Int64(Schema.steps.count) + 1)
    }

    @Test func aStepThatFailsLeavesNothing() async throws {
        let steps = Schema.steps + ["CREATE TABLE half (number bigint); SELECT 1 / 0"]
        await #expect(throws: StorageError.self) { try await schema.database(steps: steps).prepare() }
        #expect(try schema.integer("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()") == 0)
        try await schema.database().prepare()
    }

    @Test func missingRightsNameTheGrant() async throws {
        let connection = try schema.connection()
        let role = "r" + schema.name
        try connection.execute("CREATE ROLE \(role) LOGIN PASSWORD 'secret'")
        defer { try? connection.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let database = try schema.database("\(schema.address) user=\(role)")
        let store = PostgresVisitorStore(database)
        func grant() async -> String? {
            do { try await store.save(VisitorState(json: Data(#"{"goals":{"g":true}}"#.utf8)), for: "v") } catch {
                return (error as? StorageError)?.missingGrant
            }
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
    }
}
#endif
