import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation

/// S: the cost of a tracked decision for its thread, and the wait in `persisted()`, with a ledger on disk in the
/// temporary folder.
///
/// `CONVERT_S_COUNT` sets the number of decisions, and the number of visitors that the ledger has before. The goals are
/// meant for 1,000,000. `strace -f -c convert-benchmarks --sample S-decide` counts the system calls.
///
/// Between two decisions the thread does other work, like a server that handles requests. This work touches enough
/// memory to evict the SDK's data from the processor's first-level cache. A second figure is measured on a thread that
/// sleeps between the decisions, like a server without other requests. It includes the processor's wake-up time.
enum DurableTracking {
    static let workloads = [
        Workload(
            id: "S-decide", summary: "a tracked decision, ledger on disk, 3,000 a second", goal: 4_000,
            expected: "all accepted", runner: .freshProcess(repetitions: 1) { _ in try decide() }),
        Workload(
            id: "S-persisted", summary: "wait until a decision is stored, 3,000 a second", goal: 300_000,
            expected: "all stored", runner: .freshProcess(repetitions: 1) { _ in try waiting { try await persist() } }),
    ]

    private static let rate = 3000.0

    private static func count(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["CONVERT_S_COUNT"].flatMap { Int($0) } ?? usual
    }

    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "experiences": [{"id": "90", "key": "all",
        "variations": [{"id": "900", "key": "a", "traffic_allocation": 100}]}]}
        """.utf8)

    /// Makes one decision for each of many new visitors, at a steady rate.
    private static func decide() throws -> Sample {
        let folder = try TemporaryFolder()
        let count = count(30_000)
        let sdk = try Self.sdk(SQLiteLedger(file: folder.file("ledger.sqlite")))
        let writesBefore = writeCallCount()
        let processBefore = ClockReading.read(CLOCK_PROCESS_CPUTIME_ID)
        let threadBefore = ClockReading.read(CLOCK_THREAD_CPUTIME_ID)
        var work = OtherWork()
        let times = Self.times(of: 0..<count, with: sdk) { work.go(until: $0) }
        let own = ClockReading.read(CLOCK_THREAD_CPUTIME_ID) - threadBefore
        let others = (ClockReading.read(CLOCK_PROCESS_CPUTIME_ID) - processBefore - own) / Double(count)
        let writes = Double(writeCallCount() - writesBefore)
        let sleepers = min(count, 6000)
        let sleeping = Self.times(of: count..<count + sleepers, with: sdk) { sleep(until: $0) }
        let accepted = sdk.deliveryCounts.accepted
        try waiting { _ = await sdk.shutdown(deadline: .seconds(60)) }
        let all = count + sleepers
        return Sample(
            value: times[count / 2], processorTime: times.reduce(0, +) / Double(count) + others, operations: count,
            check: accepted == all ? "all accepted" : "\(accepted) of \(all) accepted",
            details: [
                "99 %, ns": times[count * 99 / 100], "99.9 %, ns": times[count * 999 / 1000],
                "slowest, ns": times[count - 1], "writes": writes / Double(count), "10 %, ns": times[count / 10],
                "other threads, ns": others, "median of a thread that sleeps, ns": sleeping[sleepers / 2],
            ])
    }

    /// The duration of each decision in nanoseconds, in ascending order. `wait` must return when the next decision is
    /// due.
    private static func times(
        of visitors: Range<Int>, with sdk: ConvertSDK, waitingBy wait: (_ due: Double) -> Void
    ) -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(visitors.count)
        let start = ClockReading.read(CLOCK_MONOTONIC)
        for (index, number) in visitors.enumerated() {
            wait(start + Double(index) / rate * 1e9)
            let before = ClockReading.read(CLOCK_MONOTONIC)
            _ = sdk.createContext(visitorID: "visitor-\(number)").decide("all").variation
            times.append(ClockReading.read(CLOCK_MONOTONIC) - before)
        }
        return times.sorted()
    }

    static func sleep(until due: Double) {
        let early = due - ClockReading.read(CLOCK_MONOTONIC)
        if early > 0 { usleep(UInt32(early / 1e3)) }
    }

    /// A replacement for the work that a server's thread does between two decisions.
    struct OtherWork {
        private static let step = 4096
        private var bytes = [UInt8](repeating: 1, count: 256 << 10)
        private var place = 0

        mutating func go(until due: Double) {
            while ClockReading.read(CLOCK_MONOTONIC) < due {
                for index in stride(from: place, to: place + Self.step, by: 64) { bytes[index] &+= 1 }
                place = (place + Self.step) % bytes.count
            }
        }
    }

    private static func sdk(_ ledger: SQLiteLedger) throws -> ConvertSDK {
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        configuration.ledger = ledger
        return try ConvertSDK(configData: config, configuration: configuration, transport: Endpoint())
    }

    /// Makes decisions for new visitors at a steady rate, each in its own task that waits until the decision is stored.
    private static func persist() async throws -> Sample {
        let folder = try TemporaryFolder()
        let ledger = try SQLiteLedger(file: folder.file("ledger.sqlite"), maximumVisitorCount: 2_000_000)
        try await fill(ledger, with: count(100_000))
        let sdk = try sdk(ledger)
        let count = 30_000
        let clock = ContinuousClock()
        let start = clock.now
        var times = try await withThrowingTaskGroup(of: Double.self) { group in
            for number in 0..<count {
                try await Task.sleep(until: start + .seconds(Double(number) / rate), clock: clock)
                group.addTask {
                    let context = sdk.createContext(visitorID: "new-\(number)")
                    let before = ClockReading.read(CLOCK_MONOTONIC)
                    context.decide("all")
                    try await context.persisted(within: .seconds(60))
                    return ClockReading.read(CLOCK_MONOTONIC) - before
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        times.sort()
        let report = await sdk.shutdown(deadline: .seconds(60))
        return Sample(
            value: times[count / 2], operations: count,
            check: report.isComplete && times.count == count ? "all stored" : "\(report)",
            details: [
                "99 %, ns": times[count * 99 / 100], "99.9 %, ns": times[count * 999 / 1000],
                "slowest, ns": times[count - 1],
            ])
    }

    private static func fill(_ ledger: SQLiteLedger, with visitors: Int) async throws {
        let record = try VisitorState(json: Data(#"{"bucketing":{"90":"900","91":"911"},"goals":{"4":true}}"#.utf8))
        for first in stride(from: 0, to: visitors, by: 512) {
            _ = try await ledger.commit(
                (first..<min(first + 512, visitors)).map {
                    LedgerEntry(visitor: "10-20-visitor-\($0)", changes: VisitorChanges(record))
                })
        }
    }

    /// The number of write calls of this process.
    private static func writeCallCount() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("syscw:") }
        return line.flatMap { Int($0.dropFirst("syscw: ".count)) } ?? 0
    }

    /// A tracking endpoint that accepts all events immediately.
    struct Endpoint: HTTPTransport {
        func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 200) }
    }

    /// A temporary folder that is deleted together with this object.
    private final class TemporaryFolder: Sendable {
        private let url = FileManager.default.temporaryDirectory.appendingPathComponent("stores-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }

        func file(_ name: String) -> URL { url.appendingPathComponent(name) }
    }
}
