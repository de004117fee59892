import ConvertMobileRules
import ConvertSQLiteStores
import Foundation

/// H: the cost of the mobile rules' event history in SQLite, in a file in the temporary folder.
enum EventHistories {
    static let workloads = [
        Workload(
            id: "H-record", summary: "record an event in the SQLite history", expected: "ok",
            runner: .timed(operations: 1000) { _ in
                let history = try TemporaryHistory()
                return {
                    for _ in 0..<1000 { try history.recordNext() }
                    return "ok"
                }
            }),
        lookUp("H-find-1", occurrences: 1),
        lookUp("H-find-10000", occurrences: 10_000),
        Workload(
            id: "H-full", summary: "record in a full SQLite history of 100,000, the slowest of 12,000", expected: "ok",
            runner: .custom(repetitions: 3) { _ in
                let history = try TemporaryHistory()
                for _ in 0..<100_000 { try history.recordNext() }
                return {
                    var slowest = 0.0
                    for _ in 0..<12_000 {
                        let start = ClockReading.read(CLOCK_MONOTONIC)
                        try history.recordNext()
                        slowest = max(slowest, ClockReading.read(CLOCK_MONOTONIC) - start)
                    }
                    return Sample(value: slowest, operations: 12_000, check: "ok")
                }
            }),
    ]

    private static func lookUp(_ id: String, occurrences: Int) -> Workload {
        Workload(
            id: id, summary: "find \(occurrences) occurrences among 20,000 in the SQLite history",
            expected: "\(occurrences)",
            runner: .timed(operations: 100) { _ in
                let history = try TemporaryHistory()
                for index in 0..<20_000 {
                    try history.recordNext(of: EventFingerprint(rawValue: index < occurrences ? 1 : 2))
                }
                return {
                    var count = 0
                    for _ in 0..<100 {
                        count = try history.history.occurrences(of: EventFingerprint(rawValue: 1), in: 0 ... .max).count
                    }
                    return "\(count)"
                }
            })
    }
}

/// A history in a temporary folder, which is deleted together with this object.
private final class TemporaryHistory {
    let history: SQLiteEventHistory
    private let folder: URL
    private var time: Int64 = 0

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("history-\(UUID().uuidString)")
        history = try SQLiteEventHistory(file: folder.appendingPathComponent("history.sqlite"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func recordNext(of fingerprint: EventFingerprint? = nil) throws {
        time += 1
        try history.record(fingerprint ?? EventFingerprint(rawValue: UInt32(time % 1000 + 1)), at: time)
    }
}
