#if Postgres
import ConvertLedgers
import ConvertMobileRules
import ConvertStoreSupport
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct GrowthTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    /// The database counts the rows that are read by going through a table, by anything but an index.
    @Test func noLookUpAndNoChangeGoesThroughATable() async throws {
        try await fill()
        let before = try rowsGoneThrough()
        do {
            let address = "\(schema.address) application_name=\(schema.name)"
            try await useLedger(schema.ledger(address))
            let database = try schema.database(address)
            try await useHistory(PostgresEventHistory(database, patience: .seconds(300)))
        }
        try await waitForStatistics()
        for table in Self.tables {
            #expect(try indexScans(of: table) > 0, "\(table) was not used")
        }
        let after = try rowsGoneThrough()
        #expect(after == before)
    }

    /// Statements are planned for a table as it was last looked at, and that may have been long ago.
    @Test func noTableIsGoneThroughThatWasSmallWhenItsStatementsWerePlanned() async throws {
        try await schema.database().prepare()
        for table in Self.tables {
            try schema.connection().execute("ALTER TABLE \(table) SET (autovacuum_enabled = off)")
        }
        let ledger = try schema.ledger("\(schema.address) application_name=\(schema.name)", connections: 1)
        let owner = try await ledger.begin()
        // A plan for all values is made with the sixth.
        for number in 0..<10 { try await use(ledger, owner, number) }
        try schema.connection().execute(
            """
            INSERT INTO visitors SELECT convert_to('x-' || n, 'UTF8'), '{}' FROM generate_series(1, 20000) AS n;
            INSERT INTO events SELECT n, \(owner), 'x', '{}' FROM generate_series(1, 20000) AS n;
            INSERT INTO owners VALUES (1000000, '-infinity');
            INSERT INTO events SELECT n + 200000000, 1000000, 'x', '{}' FROM generate_series(1, 20000) AS n
            """)
        let before = try rowsRead()
        for number in 10..<15 { try await use(ledger, owner, number) }
        await ledger.close()
        try await waitForStatistics()
        let after = try rowsRead()
        for (index, table) in Self.tables.enumerated() {
            #expect(after[index] - before[index] < 10_000, "\(table)")
        }
    }

    private func use(_ ledger: PostgresLedger, _ owner: UInt32, _ number: Int) async throws {
        let entries = try (0..<40).map { visitor in
            let id = EventID(owner: owner, number: UInt32(1 + number * 40 + visitor))
            return try LedgerEntry.goal("\(number)", of: "v-\(visitor)", id: id)
        }
        let ids = entries.map { $0.events[0].id }
        _ = try await ledger.commit(entries)
        #expect(try await ledger.visitor("v-7") != nil)
        let before = EventID(rawValue: ids[0].rawValue - 1)
        #expect(try await ledger.undelivered(after: before, limit: 40).map(\.id) == ids)
        _ = try await ledger.takeOver(10)
        try await ledger.remove(ids)
        try await ledger.forget("v-\(number)")
    }

    private static let tables = ["visitors", "events", "occurrences"]

    private func fill() async throws {
        try await schema.database().prepare()
        try schema.connection().execute(
            """
            INSERT INTO visitors SELECT convert_to('v-' || n, 'UTF8'), '{}' FROM generate_series(1, 20000) AS n;
            INSERT INTO owners VALUES (1000000, '-infinity');
            INSERT INTO events SELECT n, 1000000, 'x', '{}' FROM generate_series(100000000, 100020000) AS n;
            INSERT INTO occurrences SELECT n % 100, n FROM generate_series(1, 20000) AS n;
            ANALYZE visitors, events, occurrences;
            """)
    }

    private func useLedger(_ ledger: PostgresLedger) async throws {
        let owner = try await ledger.begin()
        let entries = try ["v-7", "new", String(repeating: "v", count: 2000)].enumerated().map { index, visitor in
            try LedgerEntry.goal("g", of: visitor, id: EventID(owner: owner, number: UInt32(index + 1)))
        }
        let ids = entries.map { $0.events[0].id }
        _ = try await ledger.commit(entries)
        for entry in entries { #expect(try await ledger.visitor(entry.visitor)?.goals?.count == 1) }
        #expect(try await ledger.undelivered(after: ids[0], limit: 10).count == 2)
        #expect(try await ledger.takeOver(500).count == 500)
        try await ledger.remove(ids)
        for entry in entries { try await ledger.forget(entry.visitor) }
        await ledger.close()
    }

    private func useHistory(_ history: PostgresEventHistory) async throws {
        let event = EventFingerprint(rawValue: 7)
        try await aside {
            try history.record(event, at: 50_000)
            #expect(try !history.recordIfNew(event, at: 60_000))
            #expect(try history.occurrences(of: event, in: 0...100_000).count > 100)
            #expect(try history.remove(event, in: 50_000...50_000) == 1)
        }
    }

    /// A connection tells what it has read when it ends.
    private func waitForStatistics() async throws {
        #expect(
            await eventually {
                let rows = try? schema.connection().run(
                    Command("SELECT FROM pg_stat_activity WHERE application_name = $1", .text(schema.name)))
                return rows?.count == 0
            })
    }

    private func rowsGoneThrough() throws -> [Int64] {
        try Self.tables.map { table in
            try integer("SELECT seq_tup_read FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = $2", table)
        }
    }

    private func rowsRead() throws -> [Int64] {
        try Self.tables.map { table in
            try integer(
                """
                SELECT (seq_tup_read + (
                        SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid
                    ))::bigint FROM pg_stat_user_tables t WHERE schemaname = $1 AND relname = $2
                """, table)
        }
    }

    private func indexScans(of table: String) throws -> Int64 {
        try integer("SELECT idx_scan FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = $2", table)
    }

    private func integer(_ sql: StaticString, _ table: String) throws -> Int64 {
        let rows = try schema.connection().run(Command(sql, .text(schema.name), .text(table)))
        return rows.count == 0 ? 0 : rows.integer(0, 0)
    }
}
#endif
