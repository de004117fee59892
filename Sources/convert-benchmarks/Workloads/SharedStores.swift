import ConvertConcurrency
import ConvertECMAScript
import ConvertPostgresStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// P: the cost of a ledger in PostgreSQL for the thread that makes decisions.
///
/// The workloads exist in builds with the trait `Postgres`, if `CONVERT_POSTGRES` is the connection string of a server.
/// They create a schema there. `CONVERT_P_COUNT` sets the number of stored visitors.
enum SharedStores {
    #if Postgres
    static let workloads = server == nil ? [] : [decisions, ledger]
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
    /// Runs the statements of `script` once.
    static func pgbench(_ script: String) throws {
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["pgbench", "-n", "-f", "-", "-t", "1", server ?? ""]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkFailure(description: "pgbench failed") }
    }

    /// Creates a schema with visitors.
    private static func fill() throws {
        try pgbench("DROP SCHEMA IF EXISTS \(schema) CASCADE;\n")
        let ledger = try PostgresLedger(server ?? "", schema: schema)
        try waiting {
            _ = try await ledger.begin()
            await ledger.close()
        }
        try pgbench(
            """
            INSERT INTO \(schema).visitors (key, record) SELECT convert_to('10-20-visitor-' || n, 'UTF8'), \
            '{"bucketing":{"90":"900"}}' FROM generate_series(0, \(visitorCount - 1)) AS n;

            """)
    }
}

// MARK: A decision with the ledger

extension SharedStores {
    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "experiences": [{"id": "90", "key": "all",
        "variations": [{"id": "900", "key": "a", "traffic_allocation": 100}]}]}
        """.utf8)
    private static let decisionCount = 10_000
    private static let decisionRate = 1000.0

    /// The 99th percentile of the duration of tracked decisions at a steady rate, as a multiple of the 99th percentile
    /// without the ledger. Half of the visitors are stored.
    private static let decisions = Workload(
        id: "P-decide", summary: "a tracked decision with PostgresLedger, 99th percentile, in those without",
        unit: .timesControl, goal: 1.2, expected: "all decided",
        runner: .custom(repetitions: 5) { _ in
            try fill()
            return {
                var work = DurableTracking.OtherWork()
                let (stored, control) = try decide { work.go(until: $0) }
                let (sleeping, sleepingControl) = try decide { DurableTracking.sleep(until: $0) }
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

    /// The duration of each decision in nanoseconds, with and without the ledger, in ascending order. A decision
    /// without the expected answer counts as 0.
    ///
    /// The decisions with and without the ledger alternate, because the database uses the same processors. `wait` must
    /// return when the next decision is due; the thread works or sleeps until then, as in ``DurableTracking``.
    private static func decide(
        waitingBy wait: (_ due: Double) -> Void
    ) throws -> (stored: [Double], control: [Double]) {
        let sdks = try [PostgresLedger(server ?? "", schema: schema), nil].map { ledger in
            var configuration = SDKConfiguration()
            configuration.logLevel = .silent
            configuration.ledger = ledger
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
            let variation = sdks[number % 2].createContext(visitorID: visitor).decide("all").variation
            let time = ClockReading.read(CLOCK_MONOTONIC) - before
            times[number % 2].append(variation?.variationKey == "a" ? time : 0)
        }
        try waiting { for sdk in sdks { _ = await sdk.shutdown(deadline: .seconds(60)) } }
        return (times[0].sorted(), times[1].sorted())
    }
}
#endif
