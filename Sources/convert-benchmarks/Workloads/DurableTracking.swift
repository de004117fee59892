import ConvertConcurrency
import ConvertECMAScript
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation

/// S: what a tracked decision waits for when events and visitors are kept on disk, in the temporary folder.
///
/// `CONVERT_S_COUNT` sets how many decisions are made, and how many visitors the store has; the goals are meant for
/// 1,000,000. `strace -f -c convert-benchmarks --sample S-journal` counts the system calls.
enum DurableTracking {
    static let workloads = [
        Workload(
            id: "S-journal", summary: "a tracked decision, journal and store on disk, 3,000 a second", goal: 10_000,
            expected: "all accepted", runner: .freshProcess(repetitions: 1) { _ in try decide() }),
        Workload(
            id: "S-visitors", summary: "save a visitor in a full store, 99th percentile", goal: 10_000_000,
            expected: "all saved", runner: .freshProcess(repetitions: 1) { _ in try waiting { try await save() } }),
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

    /// Decides for one new visitor after the other, at a steady pace.
    private static func decide() throws -> Sample {
        let folder = try TemporaryFolder()
        let count = count(30_000)
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        configuration.journal = try SQLiteEventJournal(file: folder.file("events.sqlite"))
        configuration.visitorStore = try SQLiteVisitorStore(file: folder.file("visitors.sqlite"))
        let sdk = try ConvertSDK(configData: config, configuration: configuration, transport: Endpoint())
        var times: [Double] = []
        times.reserveCapacity(count)
        let writesBefore = writeCallCount()
        let start = ClockReading.read(CLOCK_MONOTONIC)
        let processorStart = ClockReading.read(CLOCK_PROCESS_CPUTIME_ID)
        for number in 0..<count {
            let due = start + Double(number) / rate * 1e9
            let early = due - ClockReading.read(CLOCK_MONOTONIC)
            if early > 0 { usleep(UInt32(early / 1e3)) }
            let before = ClockReading.read(CLOCK_MONOTONIC)
            _ = sdk.createContext(visitorID: "visitor-\(number)").selectVariation("all")
            times.append(ClockReading.read(CLOCK_MONOTONIC) - before)
        }
        let processorTime = ClockReading.read(CLOCK_PROCESS_CPUTIME_ID) - processorStart
        let writes = Double(writeCallCount() - writesBefore)
        let accepted = sdk.deliveryCounts.accepted
        try waiting { _ = await sdk.shutdown(deadline: .seconds(60)) }
        times.sort()
        return Sample(
            value: times[count / 2], processorTime: processorTime / Double(count), operations: count,
            check: accepted == count ? "all accepted" : "\(accepted) of \(count) accepted",
            details: [
                "99 %, ns": times[count * 99 / 100], "99.9 %, ns": times[count * 999 / 1000],
                "slowest, ns": times[count - 1], "writes": writes / Double(count),
            ])
    }

    /// Fills a store, and then saves visitors one by one, some of them new, so that others have to go.
    private static func save() async throws -> Sample {
        let folder = try TemporaryFolder()
        let visitors = count(100_000)
        let store = try SQLiteVisitorStore(file: folder.file("visitors.sqlite"), maximumCount: visitors)
        let record = try VisitorState(json: Data(#"{"bucketing":{"90":"900","91":"911"},"goals":{"4":true}}"#.utf8))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<visitors {
                if number >= 256 { try await group.next() }
                group.addTask { try await store.save(record, for: "10-20-visitor-\(number)") }
            }
            try await group.waitForAll()
        }
        var random = SystemRandomNumberGenerator()
        var times: [Double] = []
        for number in 0..<20_000 {
            let known = Int.random(in: 0..<visitors, using: &random)
            let key = number % 2 == 0 ? "10-20-visitor-\(known)" : "10-20-new-\(number)"
            let before = ClockReading.read(CLOCK_MONOTONIC)
            try await store.save(record, for: key)
            times.append(ClockReading.read(CLOCK_MONOTONIC) - before)
        }
        let isSaved = try await store.load("10-20-new-19999") == record
        times.sort()
        return Sample(
            value: times[times.count * 99 / 100], operations: times.count, check: isSaved ? "all saved" : "lost",
            details: ["median, ns": times[times.count / 2], "slowest, ns": times[times.count - 1]])
    }

    /// System calls of this process that wrote something.
    private static func writeCallCount() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("syscw:") }
        return line.flatMap { Int($0.dropFirst("syscw: ".count)) } ?? 0
    }

    /// Takes every event at once.
    struct Endpoint: HTTPTransport {
        func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 200) }
    }

    /// A folder that goes with this object.
    private final class TemporaryFolder: Sendable {
        private let url = FileManager.default.temporaryDirectory.appendingPathComponent("stores-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }

        func file(_ name: String) -> URL { url.appendingPathComponent(name) }
    }
}
