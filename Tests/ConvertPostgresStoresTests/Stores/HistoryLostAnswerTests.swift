#if Postgres
import ConvertMobileRules
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// What the history recorded though it did not learn it, because the connection broke between the commit and its
/// answer.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
final class HistoryLostAnswerTests {
    private let schema: TestSchema
    private let proxy: TestProxy
    private let database: PostgresDatabase

    init() async throws {
        schema = try TestSchema()
        proxy = try TestProxy(to: schema.port)
        var options = TestSchema.options
        options.size = 1
        database = try schema.database(schema.address(through: proxy), options: options)
        try await database.prepare()
    }

    deinit { proxy.stop() }

    @Test(arguments: 0..<2) func aRecordIsNewOnce(chunks: Int) async throws {
        let history = PostgresEventHistory(database, patience: .seconds(300))
        let other = PostgresEventHistory(try schema.database(), patience: .seconds(300))
        try await aside { try history.record(EventFingerprint(rawValue: 1), at: 5) }
        proxy.lose(after: chunks, request: false)
        for event in (2..<6).map({ EventFingerprint(rawValue: $0) }) {
            #expect(try await aside { try history.recordIfNew(event, at: 5) })
            #expect(try await aside { try !other.recordIfNew(event, at: 5) })
            #expect(try await aside { try !history.recordIfNew(event, at: 6) })
            #expect(try await aside { try other.occurrences(of: event, in: .min ... .max) }.count == 1)
        }
        #expect(proxy.lostCount == 1)
    }
}
#endif
