#if Postgres
import ConvertConcurrency
import ConvertStoreSupport
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Servers of two versions that make the schema at once, while connections end and answers are lost.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct MigrationTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    @Test(arguments: 0..<caseCount(6)) func eachStepIsTakenOnce(seed: Int) async throws {
        let proxy = try TestProxy(to: schema.port)
        defer { proxy.stop() }
        let address = schema.address(through: proxy)
        let later = ["CREATE TABLE later (number bigint); SELECT pg_sleep(0.02)", "INSERT INTO later VALUES (1)"]
        let disturbance = Task {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<30 {
                proxy.lose(after: random.int(0...14), request: false)
                try await Task.sleep(for: .milliseconds(random.int(0...14)))
                if random.happens(30) { try schema.endSessions() }
            }
        }
        try await withThrowingTaskGroup { group in
            for index in 0..<6 {
                let isNewer = index % 2 == 1
                let database = try schema.database(address, steps: Schema.steps + (isNewer ? later : []))
                group.addTask { try await prepare(database, isNewer: isNewer) }
            }
            try await group.waitForAll()
        }
        try await disturbance.value
        #expect(try schema.integer("SELECT count(*) FROM later") == 1)
        #expect(try schema.integer("SELECT count(*) FROM schema_version") == 1)
        #expect(try schema.integer("SELECT max(version) FROM schema_version") == Int64(Schema.steps.count + 2))
    }

    /// Tries until the schema is right, or too new for an older version.
    private func prepare(_ database: PostgresDatabase, isNewer: Bool) async throws {
        while true {
            do { return try await database.prepare() } catch let error as StorageError {
                if error.code == .newerVersion, !isNewer { return }
                #expect([.unreachable, .busy].contains(error.code), "\(error)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
#endif
