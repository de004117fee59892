#if Postgres
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
            let database = try schema.database("\(schema.address) application_name=\(schema.name)")
            try await useVisitors(PostgresVisitorStore(database))
            try await useJournal(database)
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
        var options = TestSchema.options
        options.size = 1
        var before: [Int64] = []
        do {
            let database = try schema.database(
                "\(schema.address) application_name=\(schema.name)", options: options)
            let store = PostgresVisitorStore(database)
            let journal = PostgresEventJournal(database, lease: .seconds(3600), patience: .seconds(300))
            // A plan for all values is made with the sixth.
            for number in 0..<10 { try await use(store, journal, number) }
            try schema.connection().execute(
                """
                INSERT INTO visitors SELECT convert_to('x-' || n, 'UTF8'), '{}' FROM generate_series(1, 20000) AS n;
                INSERT INTO events SELECT min(owner), n + 100000000, false, '{}'
                    FROM owners, generate_series(1, 20000) AS n GROUP BY n;
                INSERT INTO owners VALUES (1000000, '-infinity');
                INSERT INTO events SELECT 1000000, n + 200000000, false, '{}' FROM generate_series(1, 20000) AS n;
                INSERT INTO claimed_goals
                    SELECT convert_to('x-' || n, 'UTF8'), '1', n + 100000000 FROM generate_series(1, 20000) AS n
                """)
            before = try rowsRead()
            for number in 10..<15 { try await use(store, journal, number) }
        }
        try await waitForStatistics()
        let after = try rowsRead()
        for (index, table) in Self.tables.enumerated() {
            #expect(after[index] - before[index] < 10_000, "\(table)")
        }
    }

    private func use(_ store: PostgresVisitorStore, _ journal: PostgresEventJournal, _ number: Int) async throws {
        let changes = try VisitorState(json: Data(#"{"goals":{"\#(number)":true}}"#.utf8))
        try await withThrowingTaskGroup { group in
            for visitor in 0..<40 {
                group.addTask {
                    try await store.save(changes, for: "v-\(visitor)")
                    #expect(try await store.load("v-\(visitor)") != nil)
                }
            }
            try await group.waitForAll()
        }
        let calls = (0..<40).map { visitor in
            JournalCall(rows: [Data("a".utf8)], visitor: "w-\(visitor)", goals: ["\(number)"])
        }
        let ids = try await aside { try journal.append(calls) }.compactMap { $0 }.flatMap { $0 }
        #expect(try await journal.events(after: ids[0] - 1, limit: 40).map(\.id) == ids)
        #expect(try await aside { try journal.append(calls) }.allSatisfy { $0 == nil })
        _ = try await journal.takeOver(10)
        try await journal.remove(ids)
    }

    private static let tables = ["visitors", "events", "claimed_goals", "occurrences"]

    private func fill() async throws {
        try await schema.database().prepare()
        try schema.connection().execute(
            """
            INSERT INTO visitors SELECT convert_to('v-' || n, 'UTF8'), '{}' FROM generate_series(1, 20000) AS n;
            INSERT INTO owners VALUES (1000000, '-infinity');
            INSERT INTO events SELECT 1000000, n, false, '{}' FROM generate_series(100000000, 100020000) AS n;
            INSERT INTO claimed_goals SELECT convert_to('v-' || n, 'UTF8'), '1', n FROM generate_series(1, 20000) AS n;
            INSERT INTO occurrences SELECT n % 100, n FROM generate_series(1, 20000) AS n;
            ANALYZE visitors, events, claimed_goals, occurrences;
            """)
    }

    private func useVisitors(_ store: PostgresVisitorStore) async throws {
        let changes = try VisitorState(json: Data(#"{"bucketing":{"1":"2"},"goals":{"3":true}}"#.utf8))
        let long = String(repeating: "v", count: 2000)
        for key in ["v-7", "new", long] {
            try await store.save(changes, for: key)
            #expect(try await store.load(key) == changes)
        }
    }

    private func useJournal(_ database: PostgresDatabase) async throws {
        let journal = PostgresEventJournal(database, patience: .seconds(300))
        let ids = try await aside { try journal.append([Data("a".utf8), Data("b".utf8)]) }
        let claims = JournalCall(rows: [Data("c".utf8)], visitor: "v-8", goals: ["9"])
        #expect(try await aside { try journal.append([claims]) }.allSatisfy { $0 != nil })
        #expect(try await journal.events(after: ids[0], limit: 10).count == 2)
        #expect(try await journal.takeOver(500).count == 500)
        try await journal.remove(ids)
        let connection = try Connection(
            DatabaseAddress("\(schema.address) application_name=\(schema.name)"), timeout: .seconds(300))
        try connection.execute("SET search_path = \(schema.name)")
        try EventTable.withdraw([5], of: 1_000_000, connection)
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
