import ConvertLedgers
import ConvertECMAScript
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// S: the speed at which an SQLite ledger in the temporary folder stores entries, and the time to look up a visitor
/// while it does.
///
/// `CONVERT_S_COUNT` sets the number of visitors that the ledger has before. The goals are meant for at least 100,000.
enum SQLiteLedgers {
    static let workloads = [
        Workload(
            id: "S-ledger", summary: "an entry of a new visitor, in groups of 512, SQLite on disk", goal: 50_000,
            expected: "all stored", runner: .freshProcess(repetitions: 1) { _ in try waiting { try await commit() } }),
        Workload(
            id: "S-load", summary: "a visitor of a ledger that stores 3,000 entries a second, 99th percentile",
            goal: 10_000_000, expected: "all found",
            runner: .freshProcess(repetitions: 1) { _ in try waiting { try await load() } }),
    ]

    private static let groupCount = 100
    private static let groupSize = 512

    private static func entry(_ visitor: String, _ id: EventID?) -> LedgerEntry {
        var changes = VisitorState()
        changes.apply(.bucketing(experienceID: "90", variationID: "900"))
        let record = Data(
            """
            {"account":"10","project":"20","visitor":"\(visitor)","event":{"eventType":"bucketing","data":\
            {"experienceId":"90","variationId":"900"}}}
            """.utf8)
        return LedgerEntry(
            visitor: "10-20-\(visitor)", changes: VisitorChanges(changes),
            events: id.map { [LedgerEvent(id: $0, record: record, reporting: .decision(experience: "90"))] } ?? [])
    }

    /// Creates a temporary ledger with many visitors, passes it to `body` and deletes it.
    private static func withLedger(
        _ body: (SQLiteLedger, _ visitorCount: Int, _ owner: UInt32) async throws -> Sample
    ) async throws -> Sample {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ledger-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let ledger = try SQLiteLedger(
            file: folder.appendingPathComponent("ledger.sqlite"), maximumVisitorCount: 10_000_000)
        let owner = try await ledger.begin()
        let count = ProcessInfo.processInfo.environment["CONVERT_S_COUNT"].flatMap { Int($0) } ?? 100_000
        for first in stride(from: 0, to: count, by: groupSize) {
            _ = try await ledger.commit((first..<first + groupSize).map { entry(name($0), nil) })
        }
        let sample = try await body(ledger, count, owner)
        await ledger.close()
        return sample
    }

    /// A visitor id. The ids of consecutive numbers are not in ascending order.
    private static func name(_ number: Int) -> String { "\(UInt64(number) &* 0x9E37_79B9_7F4A_7C15)" }

    private static func commit() async throws -> Sample {
        try await withLedger { ledger, count, owner in
            let groups = (0..<groupCount).map { group in
                (0..<groupSize).map { index in
                    let number = group * groupSize + index
                    return entry(name(count + 1000 + number), EventID(owner: owner, number: UInt32(number + 1)))
                }
            }
            let processor = ClockReading.read(CLOCK_PROCESS_CPUTIME_ID)
            let start = ClockReading.read(CLOCK_MONOTONIC)
            var times: [Double] = []
            for (index, group) in groups.enumerated() {
                let before = ClockReading.read(CLOCK_MONOTONIC)
                _ = try await ledger.commit(group)
                times.append(ClockReading.read(CLOCK_MONOTONIC) - before)
                // The previous group's events count as delivered.
                if index > 0 { try await ledger.remove(groups[index - 1].flatMap(\.events).map(\.id)) }
            }
            let all = groupCount * groupSize
            let time = (ClockReading.read(CLOCK_MONOTONIC) - start) / Double(all)
            let left = try await ledger.undelivered(after: nil, limit: all).count
            times.sort()
            return Sample(
                value: time, processorTime: (ClockReading.read(CLOCK_PROCESS_CPUTIME_ID) - processor) / Double(all),
                operations: all, check: left == groupSize ? "all stored" : "\(left) events left",
                details: [
                    "entries a second": 1e9 / time, "commit of 512, median, ns": times[times.count / 2],
                    "slowest, ns": times[times.count - 1],
                ])
        }
    }

    private static func load() async throws -> Sample {
        try await withLedger { ledger, count, owner in
            let committing = Task { try await commitSteadily(to: ledger, after: count + 1000, owner: owner) }
            var random = SystemRandomNumberGenerator()
            var times: [Double] = []
            var found = 0
            for _ in 0..<20_000 {
                let key = "10-20-\(name(Int.random(in: 0..<count, using: &random)))"
                let before = ClockReading.read(CLOCK_MONOTONIC)
                if try await ledger.visitor(key) != nil { found += 1 }
                times.append(ClockReading.read(CLOCK_MONOTONIC) - before)
                try await Task.sleep(for: .microseconds(300))
            }
            committing.cancel()
            let commits = try await committing.value.sorted()
            times.sort()
            return Sample(
                value: times[times.count * 99 / 100], operations: times.count,
                check: found == times.count ? "all found" : "\(found) found",
                details: [
                    "median, ns": times[times.count / 2], "slowest, ns": times[times.count - 1],
                    "commit, median, ns": commits[commits.count / 2],
                    "commit, 99.9 %, ns": commits[commits.count * 999 / 1000],
                    "commit, slowest, ns": commits[commits.count - 1],
                ])
        }
    }

    /// Stores about 3,000 entries per second until the task is cancelled, each group as soon as it is due.
    ///
    /// - Returns: the duration of each commit, in nanoseconds.
    private static func commitSteadily(
        to ledger: SQLiteLedger, after first: Int, owner: UInt32
    ) async throws -> [Double] {
        var times: [Double] = []
        var number = 0
        let start = ClockReading.read(CLOCK_MONOTONIC)
        while !Task.isCancelled {
            let due = Int((ClockReading.read(CLOCK_MONOTONIC) - start) / 1e9 * 3000)
            guard due > number else {
                try? await Task.sleep(for: .microseconds(200))
                continue
            }
            let numbers = number..<min(due, number + groupSize)
            let entries = numbers.map { entry(name(first + $0), EventID(owner: owner, number: UInt32($0 + 1))) }
            let before = ClockReading.read(CLOCK_MONOTONIC)
            _ = try await ledger.commit(entries)
            times.append(ClockReading.read(CLOCK_MONOTONIC) - before)
            number = numbers.upperBound
        }
        return times
    }
}
