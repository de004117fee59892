#if Postgres
import ConvertLedgers
import ConvertMobileRules
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Settings that an administrator has given to a user or a database.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct SessionTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    @Test(arguments: ["serializable", #"repeatable\\ read"#])
    func newEventsAreDetectedUnderTheLock(isolation: String) async throws {
        let address = "\(schema.address) options='-c default_transaction_isolation=\(isolation)'"
        let histories = try (0..<2).map { _ in
            PostgresEventHistory(try schema.database(address), patience: .seconds(300))
        }
        let event = EventFingerprint(rawValue: 7)
        for history in histories { _ = try await aside { try history.occurrences(of: event, in: 0...0) } }
        let other = try schema.connection()
        try other.execute(
            "BEGIN; SELECT pg_advisory_xact_lock(hashtext(current_schema()), (7 - 2147483648)::integer)")
        let news = try await withThrowingTaskGroup { group in
            for (index, history) in histories.enumerated() {
                group.addTask { try await aside { try history.recordIfNew(event, at: 1000 + Int64(index)) } }
                // They stand in line behind the lock.
                while try waiting() <= index { try await Task.sleep(for: .milliseconds(2)) }
            }
            try other.execute("COMMIT")
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(news == 1)
    }

    private func waiting() throws -> Int64 {
        try schema.integer(
            """
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                AND classid::bigint = hashtext(current_schema())::bigint & 4294967295
            """)
    }

    @Test func commitsAtOnceSucceedUnderEveryIsolation() async throws {
        let address = "\(schema.address) options='-c default_transaction_isolation=serializable'"
        let ledgers = try (0..<3).map { _ in try schema.ledger(address) }
        try await withThrowingTaskGroup { group in
            for ledger in ledgers {
                let owner = try await ledger.begin()
                for number in 1...30 as ClosedRange<UInt32> {
                    let id = EventID(owner: owner, number: number)
                    let entry = try LedgerEntry.goal("\(id)", of: "v\(number % 4)", id: id)
                    group.addTask { _ = try await ledger.commit([entry]) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try schema.integer("SELECT count(*) FROM events") == 90)
        for ledger in ledgers { await ledger.close() }
    }

    @Test func longKeysNeedNoSettingForBackslashes() async throws {
        let ledgers = try [
            schema.ledger("\(schema.address) options='-c standard_conforming_strings=off'"), schema.ledger(),
        ]
        let key = String(repeating: "v", count: 5000)
        let id = EventID(owner: try await ledgers[0].begin(), number: 1)
        _ = try await ledgers[0].commit([.goal("g", of: key, id: id)])
        #expect(try await ledgers[1].visitor(key)?.goals?.count == 1)
        for ledger in ledgers { await ledger.close() }
    }
}
#endif
