import ConvertConcurrency
import ConvertECMAScript
import ConvertPostgresStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// P: what the stores in PostgreSQL take, beside pgbench, which sends the same statements over as many connections.
///
/// They are there in a build with the trait, and if `CONVERT_POSTGRES` is the connection string of a server, which gets a
/// schema for as long as it is measured. `CONVERT_P_COUNT` sets how many visitors are stored.
enum SharedStores {
    #if Postgres
    static let workloads = server == nil ? [] : rates + [decisions, ledger]
    #else
    static let workloads: [Workload] = []
    #endif

    private static let environment = ProcessInfo.processInfo.environment
    static let server = environment["CONVERT_POSTGRES"]
}

#if Postgres
extension SharedStores {
    private static let visitorCount = environment["CONVERT_P_COUNT"].flatMap { Int($0) } ?? 100_000
    private static let schema = "convert_benchmarks"
    private static let seconds = 3
    /// Calls that are under way at once, as on a busy server.
    private static let callers = 64

    private static let rates = [1, 3, 8].flatMap { connections in
        [
            rate("P-load-\(connections)", "load a visitor", connections, Script.load) { store, number in
                guard try await store.load(key(number)) != nil else { throw BenchmarkFailure(description: "lost") }
            },
            rate("P-save-\(connections)", "save a visitor", connections, Script.save) { store, number in
                let place = Int.random(in: 0..<1_000_000_000)
                let changes = try VisitorState(json: Data(#"{"locations":["\#(place)"]}"#.utf8))
                try await store.save(changes, for: key(number))
            },
        ]
    }

    private static func key(_ number: Int) -> String { "10-20-visitor-\(number)" }

    /// Operations a second, in pgbench's transactions a second, which has as many clients as connections. What as many callers
    /// get is a further figure: each waits for threads to wake that pgbench does not have.
    private static func rate(
        _ id: String, _ summary: String, _ connections: Int, _ script: String,
        _ operation: @escaping @Sendable (PostgresVisitorStore, Int) async throws -> Void
    ) -> Workload {
        Workload(
            id: id, summary: "\(summary), \(connections) connections, times pgbench's rate", unit: .times, goal: 0.8,
            expected: "ok",
            runner: .custom(repetitions: 5) { _ in
                let database = try FilledDatabase()
                let store = PostgresVisitorStore(try database.opened(connections))
                return {
                    let peer = try database.transactionRate(script, connections)
                    let rate = try operationRate(callers: callers) { try await operation(store, $0) }
                    let single = try operationRate(callers: connections) { try await operation(store, $0) }
                    return Sample(
                        value: rate / peer, check: "ok",
                        details: [
                            "a second": rate, "a second, pgbench": peer, "a second, as many callers": single,
                        ])
                }
            })
    }

    private static func operationRate(
        callers: Int, _ operation: @escaping @Sendable (Int) async throws -> Void
    ) throws -> Double {
        let start = ClockReading.read(CLOCK_MONOTONIC)
        let end = start + Double(seconds) * 1e9
        let count = try waiting {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<callers {
                    group.addTask {
                        var count = 0
                        while ClockReading.read(CLOCK_MONOTONIC) < end {
                            try await operation(Int.random(in: 0..<visitorCount))
                            count += 1
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        return Double(count) / (ClockReading.read(CLOCK_MONOTONIC) - start) * 1e9
    }

    /// What the stores send, for pgbench.
    private enum Script {
        private static let pick = "\\set visitor random(0, :last)\n\\set place random(0, 999999999)\n"
        private static let key = "('10-20-visitor-' || :visitor)::bytea"
        private static let record = #"convert_to('{"locations":["' || :place || '"]}', 'UTF8')"#

        static let load = pick + "SELECT key, record FROM \(schema).visitors WHERE key = ANY (ARRAY[\(key)]);\n"

        static let save = """
            \(pick)\
            INSERT INTO \(schema).visitors (key, record)
                SELECT key, record FROM unnest(ARRAY[\(key)], ARRAY[\(record)]) AS u (key, record) ORDER BY key
                ON CONFLICT DO NOTHING RETURNING key;
            \\startpipeline
            BEGIN;
            SELECT key, record FROM \(schema).visitors WHERE key = ANY (ARRAY[\(key)]) ORDER BY key FOR NO KEY UPDATE;
            \\endpipeline
            \\startpipeline
            UPDATE \(schema).visitors AS v SET record = u.record, saved_on = current_date
                FROM unnest(ARRAY[\(key)], ARRAY[\(record)]) AS u (key, record) WHERE v.key = u.key;
            COMMIT;
            \\endpipeline

            """

        static let clear = "DROP SCHEMA IF EXISTS \(schema) CASCADE;\n"
    }

    /// A schema with visitors, which goes with this object.
    private final class FilledDatabase: Sendable {
        init() throws {
            try pgbench(Script.clear)
            let store = PostgresVisitorStore(try opened(2))
            let record = try VisitorState(json: Data(#"{"bucketing":{"90":"900"},"goals":{"4":true}}"#.utf8))
            try waiting {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<visitorCount {
                        if number >= 512 { try await group.next() }
                        group.addTask { try await store.save(record, for: key(number)) }
                    }
                    try await group.waitForAll()
                }
            }
        }

        deinit { _ = try? pgbench(Script.clear) }

        func opened(_ connections: Int) throws -> PostgresDatabase {
            try PostgresDatabase(server ?? "", schema: schema, maximumConnections: connections)
        }

        /// Transactions a second that pgbench makes of `script`.
        func transactionRate(_ script: String, _ connections: Int) throws -> Double {
            let output = try pgbench(
                script, ["-M", "prepared", "-T", "\(seconds)", "-c", "\(connections)", "-j", "\(connections)"])
            guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
                let rate = Double(line.dropFirst("tps = ".count).prefix { $0 != " " })
            else { throw BenchmarkFailure(description: "pgbench: \(output)") }
            return rate
        }
    }

    /// What pgbench prints for `script`, with which one can also run statements without rows.
    @discardableResult
    static func pgbench(_ script: String, _ options: [String] = ["-t", "1"]) throws -> String {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["pgbench", "-n", "-D", "last=\(visitorCount - 1)", "-f", "-"] + options + [server ?? ""]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkFailure(description: "pgbench failed") }
        return text
    }
}

// MARK: A decision with the store

extension SharedStores {
    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "experiences": [{"id": "90", "key": "all",
        "variations": [{"id": "900", "key": "a", "traffic_allocation": 100}]}]}
        """.utf8)
    private static let decisionCount = 10_000
    private static let decisionRate = 1000.0

    /// The 99th percentile of a tracked decision at a steady pace, in that of decisions without the store. Half of the visitors
    /// are stored.
    private static let decisions = Workload(
        id: "P-decide", summary: "a tracked decision with the store, 99th percentile, in those without",
        unit: .timesControl, goal: 1.2, expected: "all decided",
        runner: .custom(repetitions: 5) { _ in
            let database = try FilledDatabase()
            return {
                let store = try PostgresVisitorStore(database.opened(4))
                var work = DurableTracking.OtherWork()
                let (stored, control) = try decide(store) { work.go(until: $0) }
                let (sleeping, sleepingControl) = try decide(store) { DurableTracking.sleep(until: $0) }
                let isRight = [control, stored, sleeping, sleepingControl].joined().allSatisfy { $0 > 0 }
                return Sample(
                    value: stored.quantile(0.99) / control.quantile(0.99), operations: 4 * decisionCount,
                    check: isRight ? "all decided" : "not decided",
                    details: [
                        "median, ns": stored.quantile(0.5), "median without, ns": control.quantile(0.5),
                        "99 %, ns": stored.quantile(0.99), "99 % without, ns": control.quantile(0.99),
                        "of a thread that sleeps, times": sleeping.quantile(0.99) / sleepingControl.quantile(0.99),
                        "its 99 %, ns": sleeping.quantile(0.99),
                        "its 99 % without, ns": sleepingControl.quantile(0.99),
                    ])
            }
        })

    /// How long each decision took with a store and without one, in ascending order; 0 for one that did not come about.
    ///
    /// Both take turns, so that both run beside the database, which takes the same processors; in between the thread is busy, as
    /// that of ``DurableTracking`` is, or it sleeps.
    private static func decide(
        _ store: PostgresVisitorStore, waitingBy wait: (_ due: Double) -> Void
    ) throws -> (stored: [Double], control: [Double]) {
        let sdks = try [store, nil].map { store in
            var configuration = SDKConfiguration()
            configuration.logLevel = .silent
            configuration.visitorStore = store
            return try ConvertSDK(
                configData: config, configuration: configuration, transport: DurableTracking.Endpoint())
        }
        let start = ClockReading.read(CLOCK_MONOTONIC)
        var times: [[Double]] = [[], []]
        for number in 0..<2 * decisionCount {
            wait(start + Double(number) / (2 * decisionRate) * 1e9)
            let visitor =
                number % 4 < 2 ? "visitor-\(Int.random(in: 0..<visitorCount))" : UUID().uuidString
            let before = ClockReading.read(CLOCK_MONOTONIC)
            let variation = sdks[number % 2].createContext(visitorID: visitor).selectVariation("all")
            let time = ClockReading.read(CLOCK_MONOTONIC) - before
            times[number % 2].append(variation?.variationKey == "a" ? time : 0)
        }
        try waiting { for sdk in sdks { _ = await sdk.shutdown(deadline: .seconds(60)) } }
        return (times[0].sorted(), times[1].sorted())
    }
}
#endif
