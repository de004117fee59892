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
///
/// Between two decisions the thread is busy with other work, as a server's is with its requests, and walks through as much
/// memory as pushes the SDK's out of the processor's nearest cache. Beside that figure stands the one of a thread that sleeps
/// in between, as in a server with nothing else to do: it measures the processor's way out of its sleep besides.
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

    /// How long each decision took, in ascending order. `wait` is to return when the next one is due.
    private static func times(
        of visitors: Range<Int>, with sdk: ConvertSDK, waitingBy wait: (_ due: Double) -> Void
    ) -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(visitors.count)
        let start = ClockReading.read(CLOCK_MONOTONIC)
        for (index, number) in visitors.enumerated() {
            wait(start + Double(index) / rate * 1e9)
            let before = ClockReading.read(CLOCK_MONOTONIC)
            _ = sdk.createContext(visitorID: "visitor-\(number)").selectVariation("all")
            times.append(ClockReading.read(CLOCK_MONOTONIC) - before)
        }
        return times.sorted()
    }

    static func sleep(until due: Double) {
        let early = due - ClockReading.read(CLOCK_MONOTONIC)
        if early > 0 { usleep(UInt32(early / 1e3)) }
    }

    /// What a server's thread does between two decisions.
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
