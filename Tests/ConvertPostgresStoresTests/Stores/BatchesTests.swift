#if Postgres
import ConvertConcurrency
import ConvertStoreSupport
import ConvertTestServer
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertPostgresStores

/// Every caller is answered, once, whatever becomes of connections. A continuation that is answered twice ends the process,
/// and one that is forgotten keeps its test from ending.
@Suite(.enabled(if: TestDatabase.isThere), .timeLimit(.minutes(10)))
struct BatchesTests {
    let schema: TestSchema

    init() throws { schema = try TestSchema() }

    /// Doubles numbers, with the database's help.
    private static func doubling(_ database: PostgresDatabase, limit: Int = 16) -> Batches<Int64, Int64> {
        Batches(limit: limit, pool: database.pool) { numbers, connection in
            let rows = try connection.run(numbers.map { Command("SELECT $1 * 2", .integer($0)) })
            return rows.map { $0.integer(0, 0) }
        }
    }

    /// How often calls failed with each code; what succeeds is checked.
    private func outcomes(
        _ count: Int64, _ batches: Batches<Int64, Int64>, every pause: Duration = .zero
    ) async -> [StorageError.Code?: Int] {
        await withTaskGroup(of: StorageError.Code?.self) { group in
            for number in 0..<count {
                group.addTask {
                    if pause > .zero { try? await Task.sleep(for: pause * Int(number)) }
                    do {
                        #expect(try await batches.answer(number) == number * 2)
                        return nil
                    } catch { return (error as? StorageError)?.code ?? .other }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    @Test func withoutADatabaseAllCallersAreTold() async throws {
        let refusing = try RefusingPort()
        let port = try #require(refusing.url.port)
        let batches = Self.doubling(try schema.database("\(schema.address) port=\(port)"))
        #expect(await outcomes(5000, batches) == [.unreachable: 5000])
    }

    @Test func whereTheLineIsFullAllCallersAreTold() async throws {
        var options = TestSchema.options
        options.size = 1
        options.lineLimit = 0
        let database = try schema.database(options: options)
        let isEntered = Mutex(false)
        let isFree = DispatchSemaphore(value: 0)
        let blocker = Task {
            try await database.pool.perform { _ in
                isEntered.withLock { $0 = true }
                isFree.wait()
            }
        }
        while !isEntered.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
        let batches = Self.doubling(database)
        #expect(await outcomes(500, batches) == [.busy: 500])
        isFree.signal()
        try await blocker.value
        #expect(await eventually { (try? await batches.answer(4)) == 8 })
    }

    @Test(arguments: 0..<caseCount(3)) func whileConnectionsEndAllCallersAreAnswered(seed: Int) async throws {
        let port = try #require(schema.address.firstMatch(of: /port=(\d+)/).flatMap { UInt16($0.1) })
        let proxy = try TestProxy(to: port)
        defer { proxy.stop() }
        var options = TestSchema.options
        options.size = 3
        options.lineLimit = seed % 3
        options.timeout = .seconds(2)
        let address = "\(schema.address) port=\(proxy.port) sslmode=disable application_name=\(schema.name)"
        let database = try schema.database(address, options: options)
        let isOver = Atomic(false)
        let disturbance = Task {
            var random = SeededGenerator(seed: seed)
            while !isOver.load(ordering: .relaxed) {
                switch random.int(0...2) {
                case 0: proxy.loseAnswer(after: random.int(0...3))
                case 1:
                    proxy.swallow(true)
                    try await Task.sleep(for: .milliseconds(10))
                    proxy.swallow(false)
                default:
                    _ = try schema.connection().run(
                        Command(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
                            .text(schema.name)))
                }
                try await Task.sleep(for: .milliseconds(random.int(1...20)))
            }
        }
        let batches = Self.doubling(database)
        #expect(await outcomes(2000, batches, every: .microseconds(300)).values.reduce(0, +) == 2000)
        isOver.store(true, ordering: .relaxed)
        _ = try? await disturbance.value
        #expect(await eventually { (try? await batches.answer(4)) == 8 })
    }

    @Test func callersThatAreCancelledOrForgetTheDatabaseAreAnswered() async throws {
        let other = try schema.connection()
        weak var pool: Pool?
        var calls: [Task<Int64, any Error>] = []
        do {
            var options = TestSchema.options
            options.size = 2
            let database = try schema.database(options: options)
            try await database.prepare()
            pool = database.pool
            try other.execute("BEGIN; SELECT pg_advisory_xact_lock(5)")
            let batches = Batches<Int64, Int64>(limit: 16, pool: database.pool) { numbers, connection in
                _ = try connection.run(Command("SELECT pg_advisory_xact_lock_shared(5)"))
                return numbers
            }
            calls = (0..<300).map { number in Task { try await batches.answer(number) } }
            for call in calls.prefix(200) { call.cancel() }
        }
        try other.execute("COMMIT")
        for (number, call) in calls.enumerated() { #expect(try await call.value == number) }
        calls = []
        #expect(await eventually { pool == nil }, "nothing keeps it")
    }
}
#endif
